import type { Lens, Measurement } from "../api/nouns";
import { ShareBar } from "../charts/Bars";
import { count, digits, percent, quantityText } from "../lib/units";
import { Absent } from "../ui/Absent";
import { Panel } from "../ui/Panel";
import { Quantity } from "../ui/Quantity";
import type { LoadFigures } from "./loadFigures";
import { outcomeOf } from "./registry";

/** How many requests were sent and what came of them. */
export function Completeness({ figures }: { figures: LoadFigures }) {
  const requests = figures.requests;
  if (!requests) return null;
  const line = (label: string, value: number | undefined, note: string) => (
    <>
      <dt>{label}</dt>
      <dd>{value === undefined ? <Absent absent="unknown" note={note} /> : count(value)}</dd>
    </>
  );
  return (
    <Panel title="What came of the requests">
      <dl className="facts">
        {line("Good", requests.ok, "neither the summary nor the records say")}
        {line("Failed", requests.failed, "neither the summary nor the records say")}
        {line(
          "Cancelled",
          requests.cancelled,
          "requests in flight when the load ended are dropped silently; only the log counts them",
        )}
        {requests.within_service_levels !== undefined &&
          line("Within every service level", requests.within_service_levels, "")}
        {figures.window?.seconds !== undefined && (
          <>
            <dt>Measured</dt>
            <dd>
              {digits(figures.window.seconds)} s{" "}
              <span className="dim">{figures.window.from?.replaceAll("_", " ")}</span>
            </dd>
          </>
        )}
      </dl>
    </Panel>
  );
}

/** Rates with the formula they follow and the tool's own figure beside. */
export function Throughput({
  outcomes,
  lens,
  figures,
}: {
  outcomes: Measurement[];
  lens: Lens | undefined;
  figures: LoadFigures;
}) {
  const rates = outcomes.filter((outcome) => outcome.unit.endsWith("/s"));
  if (rates.length === 0) return null;
  return (
    <Panel title="Throughput" note="a rate is only as good as its denominator">
      <table className="data" aria-label="throughput">
        <tbody>
          {rates.map((rate) => (
            <tr key={rate.metric}>
              <td>
                {rate.label}
                <div className="dim">= {outcomeOf(lens, rate.name)?.meaning}</div>
              </td>
              <td className="n" style={{ width: 130 }}>
                {rate.value === undefined ? (
                  <Absent absent={rate.absent ?? "not_recorded"} note={rate.note} />
                ) : (
                  <Quantity value={rate.value} unit={rate.unit} strong copy />
                )}
                {rate.reported !== undefined && (
                  <div className="dim">tool: {quantityText(rate.reported, rate.unit)}</div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="foot">
        {figures.summary_denominator && (
          <>The tool's own summary divides by {figures.summary_denominator.replaceAll("_", " ")}. </>
        )}
        {Object.entries(figures.denominators ?? {})
          .map(([name, seconds]) => `${name.replaceAll("_", " ")} ${digits(seconds)} s`)
          .join(" · ")}
      </p>
    </Panel>
  );
}

/** Failed requests by class. */
export function ErrorClasses({ figures }: { figures: LoadFigures }) {
  const errors = figures.errors ?? [];
  const all = errors.reduce((sum, error) => sum + error.count, 0);
  const requests = (figures.requests?.ok ?? 0) + (figures.requests?.failed ?? 0);
  return (
    <Panel
      title="Errors by class"
      note={requests > 0 && all > 0 ? `${percent(all / requests)} of ${count(requests)} requests` : undefined}
    >
      {errors.length === 0 ? (
        <p className="foot">No request failed.</p>
      ) : (
        <table className="data" aria-label="errors by class">
          <tbody>
            {errors.map((error) => (
              <tr key={`${error.class} ${error.label}`}>
                <td>
                  {error.class.replaceAll("_", " ")}{" "}
                  {error.label !== error.class && <div className="dim wrap">{error.label}</div>}
                </td>
                <td style={{ width: 120 }}>
                  <ShareBar share={error.count / all} colour="worse" />
                </td>
                <td className="n">{count(error.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

/** Whether the tool's summary agrees with its own records. */
export function Agreement({ figures }: { figures: LoadFigures }) {
  const agreement = figures.agreement;
  if (!agreement) return null;
  return (
    <Panel
      title="Summary against records"
      note={`${agreement.equal} of ${agreement.compared} figures agree to the last digits`}
    >
      {agreement.differing.length === 0 ? (
        <p className="foot">Every figure of the tool's summary was recomputed from its records and agrees.</p>
      ) : (
        <table className="data" aria-label="figures that differ">
          <thead>
            <tr>
              <th scope="col">Figure</th>
              <th scope="col" className="n">
                Summary
              </th>
              <th scope="col" className="n">
                Recomputed
              </th>
            </tr>
          </thead>
          <tbody>
            {agreement.differing.slice(0, 20).map((one) => (
              <tr key={`${one.metric} ${one.figure}`}>
                <td className="mono">
                  {one.metric}.{one.figure}
                </td>
                <td className="n">{digits(one.summary)}</td>
                <td className="n">{digits(one.records)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

/** What the server said of itself during the load, and its GPUs. */
export function ServerPanel({ figures }: { figures: LoadFigures }) {
  const { server, gpus } = figures;
  if (!server && !gpus?.length) return null;
  return (
    <Panel title="Seen at the server" note={server?.engine}>
      <dl className="facts">
        {server?.prefix_cache_hit_rate !== undefined && (
          <>
            <dt>Prefix cache hit rate</dt>
            <dd>{percent(server.prefix_cache_hit_rate)}</dd>
          </>
        )}
        {Object.entries(server?.gauges ?? {}).map(([name, gauge]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt>{name.replaceAll("_", " ")}</dt>
            <dd>
              mean {gauge.mean === undefined ? "—" : digits(gauge.mean)}, most{" "}
              {gauge.max === undefined ? "—" : digits(gauge.max)}
            </dd>
          </div>
        ))}
        {Object.entries(server?.totals ?? {}).map(([name, total]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt>{name.replaceAll("_", " ")}</dt>
            <dd>{digits(total)}</dd>
          </div>
        ))}
        {(gpus ?? []).map((gpu) => (
          <div key={gpu.device} style={{ display: "contents" }}>
            <dt>{gpu.model ?? gpu.device}</dt>
            <dd>
              {gpu.utilization_mean !== undefined && `utilisation ${digits(gpu.utilization_mean, 3)} % `}
              {gpu.power_mean_w !== undefined && `· ${digits(gpu.power_mean_w, 3)} W `}
              {gpu.memory_max_by !== undefined && `· ${quantityText(gpu.memory_max_by, "By")} at most`}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
