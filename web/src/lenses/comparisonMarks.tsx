import type { Result } from "../api/comparison";
import { Tag } from "../ui/Tag";
import { MeasuredOn, OriginMark } from "./marks";

// What both sides were measured on, as setups and declarations have it too.
function devicesOf(result: Result): string[] {
  const row = result.dimensions.find((one) => one.key === "measured_on");
  const said = row ? [row.baseline, row.candidate].filter((device) => device !== "") : [];
  const captures = [...result.baseline.runs, ...result.candidate.runs].flatMap((run) => run.captures);
  return [...new Set(said.length > 0 ? said : captures.map((capture) => capture.measured_on))];
}

/** The marks that ride with a result everywhere. */
export function ResultMarks({ result }: { result: Result }) {
  const devices = devicesOf(result);
  return (
    <>
      <Tag>{result.lens}</Tag>
      {devices.map((device) => (
        <MeasuredOn key={device} device={device} />
      ))}
      {result.synthetic && <OriginMark origin="synthetic" />}
      {result.attested && (
        <Tag
          tone="unsure"
          tip={Object.entries(result.declaration.attested ?? {})
            .map(([row, reason]) => `${row}: ${reason}`)
            .join("\n")}
        >
          attested
        </Tag>
      )}
      {result.confounded && (
        <Tag tone="unsure" tip="More than one declared change: their effects can't be told apart">
          confounded
        </Tag>
      )}
    </>
  );
}
