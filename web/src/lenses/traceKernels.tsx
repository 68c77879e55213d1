import type { Kernel, TraceFigures } from "../api/figures";
import { ShareBar } from "../charts/Bars";
import { count, quantityText } from "../lib/units";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Panel, TruncationBar } from "../ui/Panel";

const ns = (value: number) => quantityText(value, "ns");

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
