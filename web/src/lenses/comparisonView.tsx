import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Cap, Refusal, Result, RunSummary, SampleSets } from "../api/comparison";
import type { Lens } from "../api/nouns";
import { isMissing } from "../ui/Absent";
import { Digest } from "../ui/Copy";
import { Panel } from "../ui/Panel";
import { TableFrame } from "../ui/TableFrame";
import { Tag } from "../ui/Tag";
import { isMark, type MarkKind, VerdictPanel } from "../ui/Verdict";
import { type Act, ActionButtons } from "./comparisonActions";
import { Effects, OutcomesCompared } from "./comparisonEffects";
import { MatchTable, sideText } from "./comparisonMatch";
import { useDistributions } from "./comparisonSamples";
import type { Drawing } from "./comparisonSearch";
import { outcomeOf, rowOf } from "./registry";
import { reasonWords } from "./words";

interface Props {
  ws: string;
  result: Result;
  lens: Lens | undefined;
  samples?: SampleSets;
  act: Act;
  draw?: Drawing;
  onDraw: (draw: Drawing) => void;
  /** Panels that stand before the method line: sides, thresholds. */
  children?: ReactNode;
}

/** A comparison: a refusal with its remedies, or the verdict, what must match, the effects and the outcomes. */
export default function ComparisonView(props: Props) {
  const { result } = props;
  return (
    <div className="stack">
      {result.answer === "refused" ? <Refused {...props} /> : <Compared {...props} />}
      {props.children}
      <MethodLine result={result} />
    </div>
  );
}

// The verdict of the first main outcome that has one: what the sentence speaks of.
function markOf(result: Result, lens: Lens | undefined): MarkKind {
  if (result.answer !== "clear") return result.answer;
  const main = result.outcomes.find((outcome) => outcomeOf(lens, outcome.name)?.headline) ?? result.outcomes[0];
  return main && isMark(main.verdict) ? main.verdict : "inconclusive";
}

function Compared({ ws, result, lens, samples, act, draw, onDraw }: Props) {
  const first = result.caps[0];
  const drawn = useDistributions({ result, lens, samples, draw, onDraw });
  return (
    <>
      <VerdictPanel
        kind={markOf(result, lens)}
        title={result.sentence}
        action={
          first && (
            <>
              <ActionButtons
                ws={ws}
                result={result}
                lens={lens}
                row={first.dimension}
                actions={first.actions.slice(0, 1)}
                act={act}
                primary
              />
              <span className="dim">
                lifts <code>{first.code}</code>
              </span>
            </>
          )
        }
      >
        <Settling result={result} lens={lens} />
      </VerdictPanel>
      {result.caps.length > 0 && <Caps ws={ws} result={result} lens={lens} act={act} />}
      <div className="two wide-left">
        <MatchTable result={result} />
        <div className="stack">
          <Effects result={result} lens={lens} />
          {drawn[0]}
        </div>
      </div>
      {drawn.length > 1 && <div className="pictures">{drawn.slice(1)}</div>}
      <OutcomesCompared result={result} />
      <LeftAside result={result} />
    </>
  );
}

const sentenceOf = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What the numbers support, and what would settle it. */
function Settling({ result, lens }: { result: Result; lens: Lens | undefined }) {
  const main = result.outcomes.find((outcome) => outcomeOf(lens, outcome.name)?.headline) ?? result.outcomes[0];
  if (!main) return null;
  const finding = isMissing(main.finding) ? undefined : main.finding;
  const why = main.reasons
    .filter((reason) => reason !== "capped")
    .map(reasonWords)
    .join("; ");
  const needed =
    !isMissing(main.needed_runs) && main.needed_runs > Math.min(...main.runs) ? main.needed_runs : undefined;
  return (
    <>
      {result.answer === "capped" && finding && (
        <>
          The numbers support <b>{finding}</b>;{" "}
          {result.caps.length === 1 ? "one cap keeps" : `${result.caps.length} caps keep`} it from being a verdict.{" "}
        </>
      )}
      {why !== "" && `${sentenceOf(why)} `}
      {needed !== undefined && <>{needed} launches a side would settle an effect of this size.</>}
    </>
  );
}

function Caps({ ws, result, lens, act }: { ws: string; result: Result; lens: Lens | undefined; act: Act }) {
  return (
    <Panel title="What caps the verdict" note="each with the one action that lifts it">
      <table className="data" aria-label="caps">
        <tbody>
          {result.caps.map((cap, index) => (
            <tr key={index}>
              <td>
                <b>{cap.dimension ? (rowOf(lens, cap.dimension)?.label ?? cap.dimension) : capName(cap)}</b>
                <div className="dim mono">{cap.code}</div>
              </td>
              <td>
                {cap.message}
                {(cap.outcomes ?? []).length > 0 && (
                  <div className="dim clamp two-lines">caps {cap.outcomes!.join(", ")}</div>
                )}
              </td>
              <td>
                <div className="sub">{cap.remedy}</div>
                <ActionButtons
                  ws={ws}
                  result={result}
                  lens={lens}
                  row={cap.dimension}
                  actions={cap.actions}
                  act={act}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

const capName = (cap: Cap) => cap.code.replaceAll("_", " ");

function Refused({ ws, result, lens, act }: Props) {
  const declarable = result.refusals.filter((refusal) => refusal.code === "gate_differs");
  return (
    <>
      <section className="panel refused" aria-label="Verdict">
        <div className="row refused-head">
          <div className="glyph" aria-hidden="true">
            ⊘
          </div>
          <div>
            <p className="title">These two can't be compared</p>
            <p className="sub">{reasonsOf(result.sentence)}</p>
          </div>
        </div>
        <TableFrame label="reasons">
          <table className="data" aria-label="reasons of the refusal">
            <thead>
              <tr>
                <th scope="col">What differs</th>
                <th scope="col">
                  <Tag tone="a">baseline</Tag>
                </th>
                <th scope="col">
                  <Tag tone="b">candidate</Tag>
                </th>
                <th scope="col">What you can do</th>
              </tr>
            </thead>
            <tbody>
              {result.refusals.map((refusal, index) => (
                <tr key={index}>
                  <td>
                    <b>
                      {refusal.dimension
                        ? (rowOf(lens, refusal.dimension)?.label ?? refusal.dimension)
                        : refusal.code.replaceAll("_", " ")}
                    </b>
                    <div className="dim mono">{refusal.code}</div>
                    <div className="sub">{refusal.message}</div>
                  </td>
                  <td>{refusedSide(result, refusal, "baseline")}</td>
                  <td>{refusedSide(result, refusal, "candidate")}</td>
                  <td>
                    <div className="sub">{refusal.remedy}</div>
                    <ActionButtons
                      ws={ws}
                      result={result}
                      lens={lens}
                      row={refusal.dimension}
                      actions={refusalActions(result, refusal)}
                      act={act}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
        {declarable.length > 1 && (
          <p className="sub">
            Declaring more than one makes the result <code>confounded</code>: it will say that the changes can't be told
            apart.
          </p>
        )}
        <SimilarRuns ws={ws} result={result} />
      </section>
      {result.dimensions.length > 0 && <MatchTable result={result} title="The whole table" />}
      <p className="foot">
        No delta, ratio or interval is computed for a refused pair. The refusal itself can be saved and linked.
      </p>
    </>
  );
}

// The heading says that they can't be compared; the sentence goes on with why.
function reasonsOf(sentence: string): string {
  const reasons = sentence.replace(/^These can't be compared: /, "");
  return reasons.charAt(0).toUpperCase() + reasons.slice(1);
}

function refusalActions(result: Result, refusal: Refusal): string[] {
  if (refusal.code === "declared_change_absent" || refusal.code === "not_declarable") return ["withdraw"];
  const row = result.dimensions.find((one) => one.key === refusal.dimension);
  return refusal.code === "gate_differs" && row?.declarable ? ["declare"] : [];
}

function refusedSide(result: Result, refusal: Refusal, side: "baseline" | "candidate") {
  const row = result.dimensions.find((one) => one.key === refusal.dimension);
  return row ? sideText(row, side) : <span className="mono wrap">{refusal[side]}</span>;
}

function SimilarRuns({ ws, result }: { ws: string; result: Result }) {
  if (!result.refusals.some((refusal) => refusal.code === "gate_differs" || refusal.code === "must_differs"))
    return null;
  return (
    <p className="sub">
      Better where it is not the change you are testing:{" "}
      <Link to="/w/$ws/runs" params={{ ws }} search={{ lens: result.lens }}>
        look for a run like the baseline
      </Link>{" "}
      and compare with that.
    </p>
  );
}

function LeftAside({ result }: { result: Result }) {
  return (
    <div className="two">
      {result.not_compared.length > 0 && (
        <Panel title="Not compared" note={`${result.not_compared.length}`}>
          <table className="data" aria-label="outcomes not compared">
            <tbody>
              {result.not_compared.map((one, index) => (
                <tr key={index}>
                  <td className="mono">{one.metric}</td>
                  <td>{one.message || reasonWords(one.reason)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
      )}
      {result.findings.length > 0 && (
        <Panel title="Noticed" note="no cap, but worth knowing">
          <ul className="plain">
            {result.findings.map((finding, index) => (
              <li key={index}>
                {finding.message} {finding.remedy && <span className="dim">{finding.remedy}</span>}{" "}
                <code className="dim">{finding.code}</code>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

function MethodLine({ result }: { result: Result }) {
  const captures = (runs: RunSummary[]) => runs.flatMap((run) => run.captures);
  const digests = [...captures(result.baseline.runs), ...captures(result.candidate.runs)];
  return (
    <p className="foot">
      Method {result.method} · statistics {result.stats_version} · inputs{" "}
      <Digest value={result.inputs_sha256} what="digest of the inputs" /> · evidence{" "}
      {digests.slice(0, 6).map((capture) => (
        <Digest key={capture.sha256 + (capture.selector ?? "")} value={capture.sha256} what="digest of the bytes" />
      ))}
      {digests.length > 6 && `and ${digests.length - 6} more`}
    </p>
  );
}
