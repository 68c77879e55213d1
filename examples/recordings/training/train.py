#!/usr/bin/env python3
"""One launch of a small image classifier on one CPU thread, profiled with torch.profiler.

    train.py TRACE.json --workers 0|1|2|… [--width 48] [--batch 64] [--steps 24]

The images are kept as compressed bytes, as on a disk: each sample is decompressed, unfiltered, cropped, resized, flipped,
jittered and normalised in NumPy, in the training process (--workers 0) or in as many loader processes. Everything random
hangs on the seed and the sample's index alone, so the batches, and the loss, are the same for every number of workers.

Writes the profile of the last --steps steps (the first eight are not profiled) and prints one JSON line about the launch.
"""
import argparse
import json
import time
import zlib

import numpy as np
import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule

SEED = 7
SIDE = 176    # pixels of a stored image
CROP = 32     # pixels of a training image
CLASSES = 4   # directions of the stripes
STORED = 256  # images kept; each is seen again with another crop
SKIPPED = 7   # steps before the profiler is warmed up
WARMUP = 1    # steps it then throws away


def stored_image(index):
    """A noisy striped picture, filtered by row differences and deflated, as a PNG file is."""
    rng = np.random.default_rng((SEED, index))
    angle = np.pi * (index % CLASSES) / CLASSES
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    wave = np.sin((x * np.cos(angle) + y * np.sin(angle)) * rng.uniform(0.3, 0.6) + rng.uniform(0, 6))
    pixels = 128 + 70 * wave[..., None] * rng.uniform(0.5, 1, 3) + rng.normal(0, 20, (SIDE, SIDE, 3))
    pixels = np.clip(pixels, 0, 255).astype(np.uint8)
    filtered = np.diff(pixels, axis=1, prepend=np.zeros((SIDE, 1, 3), np.uint8))
    return zlib.compress(filtered.tobytes(), 6)


def decoded(data):
    filtered = np.frombuffer(zlib.decompress(data), np.uint8).reshape(SIDE, SIDE, 3)
    return np.cumsum(filtered, axis=1, dtype=np.uint8)


def resized(pixels, side):
    """Bilinear, one axis after the other."""
    for axis in (0, 1):
        at = np.linspace(0, pixels.shape[axis] - 1, side)
        low = np.floor(at).astype(int)
        high = np.minimum(low + 1, pixels.shape[axis] - 1)
        share = (at - low).astype(np.float32).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        pixels = np.take(pixels, low, axis) * (1 - share) + np.take(pixels, high, axis) * share
    return pixels


def augmented(pixels, rng):
    side = int(rng.integers(SIDE // 2, SIDE + 1))
    top, left = rng.integers(0, SIDE - side + 1, 2)
    image = resized(pixels[top:top + side, left:left + side].astype(np.float32), CROP)
    image = image * rng.uniform(0.8, 1.2) + rng.uniform(-20, 20)
    image += rng.normal(0, 4, image.shape)
    if rng.random() < 0.5:
        image = image[::-1, ::-1]  # half a turn keeps the direction of the stripes
    return (np.clip(image, 0, 255).transpose(2, 0, 1) / 127.5 - 1).astype(np.float32)


class Images(torch.utils.data.Dataset):
    def __init__(self, count):
        self.count = count
        self.stored = [stored_image(i) for i in range(STORED)]

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        data = self.stored[index % STORED]
        return augmented(decoded(data), np.random.default_rng((SEED, 1, index))), index % STORED % CLASSES


def collated(samples):
    images, labels = zip(*samples)
    return torch.from_numpy(np.stack(images)), torch.from_numpy(np.array(labels))


def classifier(width):
    return nn.Sequential(
        nn.Conv2d(3, width, 3, padding=1, bias=False), nn.ReLU(),
        nn.Conv2d(width, 2 * width, 3, stride=2, padding=1, bias=False), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2 * width, CLASSES))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("trace")
    p.add_argument("--workers", type=int, required=True, help="loader processes; 0: the training process loads")
    p.add_argument("--width", type=int, default=48, help="channels of the first convolution (default 48)")
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--steps", type=int, default=24, help="profiled steps (default 24)")
    a = p.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    model = classifier(a.width)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, foreach=False)
    total = SKIPPED + WARMUP + a.steps
    loader = torch.utils.data.DataLoader(
        Images(a.batch * total), batch_size=a.batch, shuffle=True, generator=torch.Generator().manual_seed(SEED),
        num_workers=a.workers, collate_fn=collated)

    started = time.time()
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True,
                 schedule=schedule(wait=SKIPPED, warmup=WARMUP, active=a.steps, repeat=1)) as profiler:
        for images, labels in loader:
            loss = nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            profiler.step()
    profiler.export_chrome_trace(a.trace)
    print(json.dumps({"workers": a.workers, "width": a.width, "last_loss": loss.item(),
                      "seconds": round(time.time() - started, 3), "torch": torch.__version__, "numpy": np.__version__}))


if __name__ == "__main__":
    main()
