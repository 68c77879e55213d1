import type { Step, TraceFigures } from "../api/figures";
import type { Maybe } from "../api/nouns";
import { type Part, StackedBar } from "../charts/Bars";
import { count, percent, quantityText } from "../lib/units";
import { Absent, isMissing } from "../ui/Absent";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Panel } from "../ui/Panel";
import { Quantity } from "../ui/Quantity";
import { Tag } from "../ui/Tag";

const ns = (value: number) => quantityText(value, "ns");
const known = (value: Maybe<number>): number => (isMissing(value) ? 0 : value);

/** Idle, compute, exposed communication and exposed memory: they add up to the window. */
export function TimeBreakdown({ figures }: { figures: TraceFigures }) {
  if (isMissing(figures.window_ns)) {
    return (
      <Panel title="Where the time goes">
        <p>
          <Absent {...figures.window_ns} />{" "}
          <span className="dim">No GPU event is in this trace, so no GPU time can be broken down.</span>
        </p>
        <dl className="facts">
          <dt>Capture</dt>
          <dd>{ns(figures.capture_ns)} from the first to the last event</dd>
          <dt>Operators</dt>
          <dd>{count(figures.operators.reduce((sum, operator) => sum + operator.count, 0))}</dd>
        </dl>
      </Panel>
    );
  }
  const window = figures.window_ns;
  const parts: Part[] = [
    { key: "compute", label: "compute", colour: "work-compute", value: known(figures.compute_ns) },
    {
      key: "communication",
      label: "exposed communication",
      colour: "work-communication",
      value: known(figures.exposed_communication_ns),
    },
    { key: "memory", label: "exposed memory", colour: "work-memory", value: known(figures.exposed_memory_ns) },
    { key: "idle", label: "idle", colour: "work-idle", value: known(figures.idle_ns) },
  ].map((part) => ({ ...part, shown: ns(part.value) }));
  return (
    <Panel
      title="Where the time goes"
      note={`GPU window ${ns(window)}, busy ${percent(known(figures.busy_ns) / window)}`}
    >
      <StackedBar label="GPU time" parts={parts} whole={window} />
      {!isMissing(figures.overlap_share) && (
        <p className="foot">
          {percent(figures.overlap_share)} of communication is hidden by compute ({ns(known(figures.overlap_ns))}).
        </p>
      )}
    </Panel>
  );
}

const stepKinds: Record<string, string> = {
  profiler_step: "profiler steps",
  model_run: "annotated model runs",
  window: "the whole window: no step is annotated",
};

const excludedWords: Record<string, string> = {
  cut: "cut: no operator starts in it",
  queue_filling: "queue filling: the CPU only runs ahead",
};

const stepColumns: Column<Step>[] = [
  {
    key: "name",
    header: "Step",
    cell: (row) => (
      <>
        <span className="mono">{row.name}</span>{" "}
        {row.excluded && (
          <Tag tone="unsure" tip="Left out of the step times">
            {excludedWords[row.excluded] ?? row.excluded}
          </Tag>
        )}
      </>
    ),
    csv: (row) => row.name,
  },
  { key: "start_ns", header: "Start", number: true, cell: (row) => ns(row.start_ns), csv: (row) => row.start_ns },
  {
    key: "cpu_ns",
    header: "CPU",
    number: true,
    cell: (row) => <Quantity value={row.cpu_ns} unit="ns" strong />,
    csv: (row) => row.cpu_ns,
  },
  {
    key: "gpu_ns",
    header: "GPU, first to last",
    number: true,
    cell: (row) => <Quantity value={row.gpu_ns} unit="ns" />,
    csv: (row) => (isMissing(row.gpu_ns) ? undefined : row.gpu_ns),
  },
  {
    key: "gpu_busy_ns",
    header: "GPU busy",
    number: true,
    cell: (row) => <Quantity value={row.gpu_busy_ns} unit="ns" />,
    csv: (row) => (isMissing(row.gpu_busy_ns) ? undefined : row.gpu_busy_ns),
  },
  {
    key: "gpu_events",
    header: "GPU events",
    number: true,
    cell: (row) => count(row.gpu_events),
    csv: (row) => row.gpu_events,
  },
  {
    key: "operators",
    header: "Operators",
    number: true,
    cell: (row) => count(row.operators),
    csv: (row) => row.operators,
  },
  { key: "excluded", header: "", cell: () => null, csv: (row) => row.excluded },
];

/** Each step on the CPU with the GPU work launched in it. */
export function StepTable({ figures }: { figures: TraceFigures }) {
  return (
    <Panel
      title="Steps"
      note={`${stepKinds[figures.step_kind] ?? figures.step_kind}, ${figures.steps_kept} of ${figures.steps.length} kept for step times`}
      tools={<SaveTable label="steps" columns={stepColumns} rows={figures.steps} />}
    >
      <DataTable
        label="steps"
        columns={stepColumns.filter((column) => column.header !== "")}
        rows={figures.steps}
        rowKey={(row, index) => `${row.name}-${index}`}
        height="320px"
      />
    </Panel>
  );
}

/** What is in no figure, and how many events there are by phase. */
export function LeftOut({ figures }: { figures: TraceFigures }) {
  return (
    <Panel title="What was left out" note={`of ${count(figures.events_total)} events`}>
      {figures.left_out.length === 0 ? (
        <p className="foot">Nothing: every event with a duration counts.</p>
      ) : (
        <table className="data" aria-label="events left out">
          <tbody>
            {figures.left_out.map((row) => (
              <tr key={row.reason}>
                <td>{row.reason.replaceAll("_", " ")}</td>
                <td className="n">{count(row.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="foot">
        Events by phase:{" "}
        {Object.entries(figures.events)
          .map(([phase, number]) => `${phase} ${count(number)}`)
          .join(" · ")}
        {figures.zero_duration_gpu_events > 0 &&
          ` · ${count(figures.zero_duration_gpu_events)} GPU events without duration`}
      </p>
    </Panel>
  );
}
