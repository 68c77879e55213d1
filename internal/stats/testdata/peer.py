#!/usr/bin/env python3
"""The comparisons of BenchmarkComparison done with NumPy and SciPy, for a ratio of times on the same machine.

    python3 peer.py [--resamples 200] [--replicated-only]

Bootstraps are timed over fewer resamples and scaled to 9,999, since they are linear in them.
"""
import argparse
import math
import time

import numpy as np
from scipy import stats

RUNS, SAMPLES, RESAMPLES = 5, 100_000, 9_999


def series(n, phi, seed):
    """Skewed latencies that resemble their neighbours, as in bench_test.go."""
    noise = np.random.default_rng(seed).standard_normal(n)
    state = np.empty(n)
    last = 0.0
    for i in range(n):
        last = phi * last + math.sqrt(1 - phi * phi) * noise[i]
        state[i] = last
    return 100 * np.exp(0.3 * state)


def steadiness(x):
    """MSER-5: the cut of the batch means that minimises the marginal standard error."""
    backwards = x.reshape(-1, 5).mean(axis=1)[::-1]
    count, total = np.arange(1, len(backwards) + 1), np.cumsum(backwards)
    squares = np.cumsum(backwards * backwards) - total * total / count
    return np.argmin((squares / count**2)[len(backwards) // 2 :])


def effective_samples(x):
    """n / (2 tau), tau summed over the initial positive sequence."""
    n = len(x)
    f = np.fft.rfft(x - x.mean(), 1 << (2 * n - 1).bit_length())
    rho = np.fft.irfft(f * f.conj())[: n // 3]
    pairs = (rho / rho[0])[: n // 3 // 2 * 2].reshape(-1, 2).sum(axis=1)
    return n / (2 * (pairs[: np.argmax(pairs <= 0)].sum() - 0.5))


def replicated(baseline, candidate):
    """Each run's steadiness and effective samples, its p50, p90, p99 and mean; Hodges-Lehmann, interval, exact p."""
    for x in [*baseline, *candidate]:
        steadiness(x), effective_samples(x)
    for summary in (lambda x: np.quantile(x, [0.5, 0.9, 0.99]), lambda x: np.atleast_1d(np.mean(x))):
        b, c = np.array([summary(x) for x in baseline]), np.array([summary(x) for x in candidate])
        for j in range(b.shape[1]):
            differences = np.sort((np.log(c[:, j])[:, None] - np.log(b[:, j])[None, :]).ravel())
            np.median(differences), differences[2], differences[-3]
            stats.mannwhitneyu(c[:, j], b[:, j], method="exact")


def resampled(x, length, rng, count, statistic):
    """The statistic of count resamples, a chunk at a time so that memory stays bounded."""
    n = len(x)
    blocks, offsets, values = math.ceil(n / length), np.arange(length), []
    for _ in range(count):
        at = (rng.integers(0, n, blocks)[:, None] + offsets) % n
        values.append(statistic(x[at.ravel()[:n]]))
    return np.array(values)


def bootstrap(baseline, candidate, statistic, count):
    rng = np.random.default_rng(42)
    value = lambda side: np.median([resampled(x, 47, rng, count, statistic) for x in side], axis=0)
    effects = np.sort(np.log(value(candidate)) - np.log(value(baseline)))
    return effects[0], effects[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--replicated-only", action="store_true", help="leave the bootstraps out")
    arguments = parser.parse_args()
    count = arguments.resamples
    baseline = [series(SAMPLES, 0.6, i) for i in range(RUNS)]
    candidate = [series(SAMPLES, 0.6, RUNS + i) for i in range(RUNS)]
    times = []
    for _ in range(5):
        start = time.perf_counter()
        replicated(baseline, candidate)
        times.append(time.perf_counter() - start)
    print(f"replicated {RUNS}x{SAMPLES}: {min(times):.3f} s")
    if arguments.replicated_only:
        return
    for name, statistic in (("p50", np.median), ("p99", lambda x: np.quantile(x, 0.99)), ("mean", np.mean)):
        for label, b, c in (("one launch", baseline[:1], candidate[:1]), ("five invocations", baseline, candidate)):
            start = time.perf_counter()
            bootstrap(b, c, statistic, count)
            print(f"bootstrap {name}, {label}: {(time.perf_counter() - start) * RESAMPLES / count:.1f} s")


if __name__ == "__main__":
    main()
