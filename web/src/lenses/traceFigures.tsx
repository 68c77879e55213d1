import type { Kernel, Step, Stream, TraceFigures } from "../api/figures";
import type { Maybe } from "../api/nouns";
import { type Part, ShareBar, StackedBar } from "../charts/Bars";
import { count, percent, quantityText } from "../lib/units";
import { Absent, isMissing } from "../ui/Absent";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Panel, TruncationBar } from "../ui/Panel";
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

const streamColumns: Column<Stream>[] = [
  { key: "device", header: "GPU", cell: (row) => row.device, csv: (row) => row.device },
  { key: "stream", header: "Stream", cell: (row) => row.stream, csv: (row) => row.stream },
  {
    key: "busy_ns",
    header: "Busy",
    number: true,
    cell: (row) => `${ns(row.busy_ns)} · ${percent(row.share_of_window)}`,
    csv: (row) => row.busy_ns,
  },
  {
    key: "host_wait_ns",
    header: (
      <span data-tip="The launch call began after all earlier work had ended: the GPU waited for the host">
        waiting for the host
      </span>
    ),
    number: true,
    cell: (row) => <Wait ns={row.host_wait_ns} times={row.host_waits} />,
    csv: (row) => row.host_wait_ns,
  },
  {
    key: "kernel_wait_ns",
    header: <span data-tip="Gaps under 30 µs between kernels that were already launched">between kernels</span>,
    number: true,
    cell: (row) => <Wait ns={row.kernel_wait_ns} times={row.kernel_waits} />,
    csv: (row) => row.kernel_wait_ns,
  },
  {
    key: "other_wait_ns",
    header: <span data-tip="Another stream, an event, or a launch that was not captured">other</span>,
    number: true,
    cell: (row) => <Wait ns={row.other_wait_ns} times={row.other_waits} />,
    csv: (row) => row.other_wait_ns,
  },
  {
    key: "queue_mean",
    header: "Queue, mean",
    number: true,
    cell: (row) => row.queue_mean.toFixed(1),
    csv: (row) => row.queue_mean,
  },
  {
    key: "overlaps",
    header: "Overlaps",
    number: true,
    cell: (row) => (row.overlaps ? count(row.overlaps) : ""),
    csv: (row) => row.overlaps,
  },
];

function Wait({ ns: waited, times }: { ns: number; times: number }) {
  return (
    <>
      {ns(waited)} <span className="dim">× {count(times)}</span>
    </>
  );
}

/** Why each stream stood still. */
export function IdleCauses({ figures }: { figures: TraceFigures }) {
  if (figures.streams.length === 0) return null;
  return (
    <Panel
      title="Idle causes, by stream"
      tools={<SaveTable label="streams" columns={streamColumns} rows={figures.streams} />}
    >
      <DataTable
        label="streams"
        columns={streamColumns}
        rows={figures.streams}
        rowKey={(row) => `${row.device}/${row.stream}`}
      />
    </Panel>
  );
}

// Column names as nsys stats gives them: people know these tables.
function kernelColumns(most: number): Column<Kernel>[] {
  return [
    {
      key: "name",
      header: "Name",
      width: "34%",
      cell: (row) => (
        <span className="mono" data-tip={row.name}>
          {row.short_name}
        </span>
      ),
      csv: (row) => row.name,
      csvHeader: "Name",
    },
    {
      key: "share",
      header: "Time (%)",
      number: true,
      width: 76,
      cell: (row) => (row.share_of_kernel_sum * 100).toFixed(1),
      csv: (row) => row.share_of_kernel_sum * 100,
      csvHeader: "Time (%)",
    },
    {
      key: "sum",
      header: "Total Time",
      number: true,
      width: 92,
      cell: (row) => ns(row.sum_ns),
      csv: (row) => row.sum_ns,
      csvHeader: "Total Time (ns)",
    },
    {
      key: "bar",
      header: <span className="visually-hidden">Share of the longest</span>,
      width: 110,
      cell: (row) => (
        <ShareBar
          share={row.sum_ns / most}
          colour={row.type === "communication" ? "work-communication" : "work-compute"}
        />
      ),
    },
    {
      key: "count",
      header: "Instances",
      number: true,
      width: 80,
      cell: (row) => count(row.count),
      csv: (row) => row.count,
      csvHeader: "Instances",
    },
    {
      key: "mean",
      header: "Avg",
      number: true,
      width: 84,
      cell: (row) => ns(row.mean_ns),
      csv: (row) => row.mean_ns,
      csvHeader: "Avg (ns)",
    },
    {
      key: "p50",
      header: "Med",
      number: true,
      width: 84,
      cell: (row) => ns(row.p50_ns),
      csv: (row) => row.p50_ns,
      csvHeader: "Med (ns)",
    },
    {
      key: "min",
      header: "Min",
      number: true,
      width: 84,
      cell: (row) => ns(row.min_ns),
      csv: (row) => row.min_ns,
      csvHeader: "Min (ns)",
    },
    {
      key: "max",
      header: "Max",
      number: true,
      width: 84,
      cell: (row) => ns(row.max_ns),
      csv: (row) => row.max_ns,
      csvHeader: "Max (ns)",
    },
  ];
}

/** Kernels by total time, with the column names of nsys. */
export function TopKernels({ figures, onFind }: { figures: TraceFigures; onFind: (name: string) => void }) {
  const cut = figures.truncated?.find((one) => one.pointer.includes("kernels"));
  if (figures.kernels.length === 0) return <TopOperators figures={figures} />;
  const columns = kernelColumns(figures.kernels[0]!.sum_ns);
  columns[0] = {
    ...columns[0]!,
    cell: (row) => (
      <button
        type="button"
        className="btn quiet mono"
        data-primary
        data-tip={`${row.name}\nClick to find it on the timeline`}
        onClick={() => onFind(row.short_name)}
      >
        {row.short_name}
      </button>
    ),
  };
  return (
    <Panel
      title="Kernels by total time"
      note={`${count(figures.kernel_count)} kernels, ${ns(figures.kernel_sum_ns)} in all`}
      tools={<SaveTable label="kernels" columns={columns} rows={figures.kernels} />}
    >
      {cut && <TruncationBar kept={cut.kept} of={cut.of} bound="row bound" />}
      <DataTable label="kernels" columns={columns} rows={figures.kernels} rowKey={(row) => row.name} height="420px" />
    </Panel>
  );
}

function TopOperators({ figures }: { figures: TraceFigures }) {
  type Operator = TraceFigures["operators"][number];
  const most = Math.max(...figures.operators.map((row) => row.self_ns), 1);
  const columns: Column<Operator>[] = [
    {
      key: "name",
      header: "Name",
      width: "40%",
      cell: (row) => <span className="mono">{row.name}</span>,
      csv: (row) => row.name,
    },
    {
      key: "self",
      header: "Self time",
      number: true,
      width: 100,
      cell: (row) => ns(row.self_ns),
      csv: (row) => row.self_ns,
      csvHeader: "self_ns",
    },
    {
      key: "bar",
      header: <span className="visually-hidden">Share of the longest</span>,
      width: 140,
      cell: (row) => <ShareBar share={row.self_ns / most} colour="work-operator" />,
    },
    {
      key: "sum",
      header: "Total time",
      number: true,
      width: 100,
      cell: (row) => ns(row.sum_ns),
      csv: (row) => row.sum_ns,
      csvHeader: "sum_ns",
    },
    {
      key: "count",
      header: "Calls",
      number: true,
      width: 80,
      cell: (row) => count(row.count),
      csv: (row) => row.count,
    },
  ];
  return (
    <Panel
      title="Operators by self time"
      note="on the CPU: the trace holds no kernel"
      tools={<SaveTable label="operators" columns={columns} rows={figures.operators} />}
    >
      <DataTable
        label="operators"
        columns={columns}
        rows={figures.operators}
        rowKey={(row) => row.name}
        height="420px"
      />
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

/** Copies and fills by direction. */
export function Copies({ figures }: { figures: TraceFigures }) {
  if (figures.copies.length === 0) return null;
  return (
    <Panel title="Copies and fills">
      <table className="data" aria-label="copies">
        <thead>
          <tr>
            <th scope="col">Direction</th>
            <th scope="col" className="n">
              Count
            </th>
            <th scope="col" className="n">
              Time
            </th>
            <th scope="col" className="n">
              Bytes
            </th>
            <th scope="col" className="n">
              GB/s
            </th>
            <th scope="col" className="n">
              Exposed
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.copies.map((row) => (
            <tr key={row.direction}>
              <td>{row.direction}</td>
              <td className="n">{count(row.count)}</td>
              <td className="n">{ns(row.sum_ns)}</td>
              <td className="n">
                <Quantity value={row.bytes} unit="By" />
              </td>
              <td className="n">
                <Quantity value={row.gb_per_s} unit="GB/s" />
              </td>
              <td className="n">{ns(row.exposed_ns)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
