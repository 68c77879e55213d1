import type { Stream, TraceFigures } from "../api/figures";
import { count, percent, quantityText } from "../lib/units";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Panel } from "../ui/Panel";
import { Quantity } from "../ui/Quantity";

const ns = (value: number) => quantityText(value, "ns");

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
