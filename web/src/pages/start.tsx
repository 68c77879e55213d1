import { useQuery } from "@tanstack/react-query";
import { createRoute, Link, useNavigate } from "@tanstack/react-router";
import type { ComparisonListed } from "../api/comparison";
import { comparisonsQuery, newestRunsQuery, sessionQuery } from "../api/queries";
import { AnswerMark } from "../lenses/answerMark";
import { DropZone } from "../lenses/dropZone";
import { keepForImport } from "../lenses/pendingFiles";
import { useLenses } from "../lenses/registry";
import { type Stage, stagesOf } from "../lenses/stages";
import { PageHead, Panel } from "../ui/Panel";
import { Tag } from "../ui/Tag";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

export const route = createRoute({ getParentRoute: () => workspaceRoute, path: "/", component: Start });

function Start() {
  useTitle("Start");
  const ws = useWorkspace();
  const navigate = useNavigate();
  const session = useQuery(sessionQuery).data;
  const runs = useQuery(newestRunsQuery(ws));
  const comparisons = useQuery(comparisonsQuery(ws));
  const saved = comparisons.data?.rows ?? [];
  const stages = stagesOf(runs.data, comparisons.data?.total ?? 0);
  const demo = session?.product.demo ?? false;
  return (
    <div className="stack">
      <PageHead title="From the question to an answer that someone else can check">
        {demo
          ? "Example data, recorded by this project. Two minutes: open the examples in their order."
          : "Each stage shows what is there, what is missing for the next, and where to go."}
      </PageHead>
      {demo && saved.length > 0 && <Examples ws={ws} saved={saved} />}
      <ol className="stages">
        {stages.map((stage, index) => (
          <StageCard key={stage.name} ws={ws} stage={stage} number={index + 1} />
        ))}
      </ol>
      <DropZone
        onFiles={(files) => {
          keepForImport(files);
          void navigate({ to: "/w/$ws/import", params: { ws } });
        }}
      />
      {runs.data && runs.data.total === 0 && <Lenses />}
      {!demo && saved.length > 0 && (
        <Panel title="Last saved comparisons">
          <ComparisonRows ws={ws} rows={saved.slice(0, 5)} />
        </Panel>
      )}
    </div>
  );
}

function StageCard({ ws, stage, number }: { ws: string; stage: Stage; number: number }) {
  return (
    <li className={`panel stage ${stage.state}`} aria-current={stage.state === "next" ? "step" : undefined}>
      <div className="row">
        <span className="bullet" aria-hidden="true">
          {stage.state === "done" ? "✓" : number}
        </span>
        <b>{stage.name}</b>
        <span className="visually-hidden">
          {stage.state === "done" ? "done" : stage.state === "next" ? "next" : ""}
        </span>
      </div>
      <p>{stage.text}</p>
      {stage.to && (
        <Link to={stage.to} params={{ ws }}>
          {stage.action}
        </Link>
      )}
    </li>
  );
}

/** The demo's worked examples: saved comparisons, in the order they were made. */
function Examples({ ws, saved }: { ws: string; saved: ComparisonListed[] }) {
  return (
    <Panel title="Worked examples" note="each opens on its answer">
      <ComparisonRows ws={ws} rows={[...saved].sort((a, b) => a.created_at.localeCompare(b.created_at))} />
    </Panel>
  );
}

function ComparisonRows({ ws, rows }: { ws: string; rows: ComparisonListed[] }) {
  return (
    <table className="data" aria-label="comparisons">
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <Link to="/w/$ws/comparisons/$comparison" params={{ ws, comparison: row.id }} className="strong">
                {row.name}
              </Link>
              <div className="dim">{row.sentence}</div>
            </td>
            <td>{row.lens && <Tag>{row.lens}</Tag>}</td>
            <td>{<AnswerMark row={row} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What each lens asks, and what it needs: shown while there is nothing else to look at. */
function Lenses() {
  const lenses = useLenses();
  const inputs: Record<string, string> = {
    inference: "an AIPerf export (zip or tar.gz), a trace of an engine, or Kernelwake JSON",
    training: "a PyTorch profiler trace, or Kernelwake JSON from your logs",
    fleet: "Kernelwake JSON from the scheduler's accounting",
  };
  return (
    <Panel title="Three lenses" note="a lens sets which outcomes count and what two runs must share">
      <table className="data" aria-label="lenses">
        <tbody>
          {lenses.map((lens) => (
            <tr key={lens.id}>
              <td>
                <b>{lens.label}</b>
              </td>
              <td>
                {lens.question}
                <div className="dim">
                  must match:{" "}
                  {lens.rows
                    .filter((row) => row.class === "gate")
                    .map((row) => row.label)
                    .join(", ")}
                </div>
              </td>
              <td className="sub">{inputs[lens.id]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
