import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { runQuery } from "../api/queries";
import { Panel } from "../ui/Panel";
import { RunPicker } from "./runPicker";

/** The runs of both sides: add, take away, swap. */
export function SidesPanel({
  ws,
  baseline,
  candidate,
  onChange,
}: {
  ws: string;
  baseline: string[];
  candidate: string[];
  onChange: (baseline: string[], candidate: string[]) => void;
}) {
  const [adding, setAdding] = useState<"baseline" | "candidate">();
  const shown = useQueries({ queries: [...baseline, ...candidate].map((id) => runQuery(ws, id)) });
  const runs = new Map(
    shown.flatMap((answer) => (answer.data ? [[answer.data.run.id, answer.data.run] as const] : [])),
  );
  const lens = [...runs.values()][0]?.lens;
  const side = (name: "baseline" | "candidate", ids: string[], set: (ids: string[]) => void) => (
    <div>
      <h3 className={name === "baseline" ? "side-a" : "side-b"}>{name}</h3>
      <ul className="plain">
        {ids.map((id) => (
          <li key={id} className="row">
            <Link to="/w/$ws/runs/$run" params={{ ws, run: id }}>
              {runs.get(id)?.name ?? id}
            </Link>
            <span className="dim">{runs.get(id)?.workload}</span>
            <button
              type="button"
              className="btn quiet"
              onClick={() => set(ids.filter((other) => other !== id))}
              aria-label={`Take ${runs.get(id)?.name ?? id} out of the ${name}`}
            >
              ✕
            </button>
          </li>
        ))}
        {ids.length === 0 && <li className="dim">no run yet</li>}
      </ul>
      <button type="button" className="btn" style={{ marginTop: 8 }} onClick={() => setAdding(name)}>
        Add runs to the {name}…
      </button>
    </div>
  );
  return (
    <Panel
      title="The two sides"
      note="several launches of one configuration stand together"
      tools={
        <button
          type="button"
          className="btn quiet"
          onClick={() => onChange(candidate, baseline)}
          disabled={baseline.length === 0 || candidate.length === 0}
        >
          Swap
        </button>
      }
    >
      <div className="two">
        {side("baseline", baseline, (ids) => onChange(ids, candidate))}
        {side("candidate", candidate, (ids) => onChange(baseline, ids))}
      </div>
      <RunPicker
        ws={ws}
        title={`Add runs to the ${adding ?? ""}`}
        filters={lens ? { lens } : {}}
        taken={[...baseline, ...candidate]}
        open={adding !== undefined}
        onClose={() => setAdding(undefined)}
        onPick={(picked) => {
          if (adding === "baseline") onChange([...baseline, ...picked], candidate);
          else onChange(baseline, [...candidate, ...picked]);
          setAdding(undefined);
        }}
      />
    </Panel>
  );
}
