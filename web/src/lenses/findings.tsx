import type { Finding } from "../api/nouns";
import { count } from "../lib/units";
import { type Column, DataTable, SaveTable } from "../ui/DataTable";
import { Panel } from "../ui/Panel";

const columns: Column<Finding>[] = [
  {
    key: "message",
    header: "Finding",
    cell: (finding) => (
      <>
        {finding.message}
        {finding.remedy && <div className="dim">What helps: {finding.remedy}</div>}
      </>
    ),
    csv: (finding) => finding.message,
  },
  {
    key: "count",
    header: "Times",
    number: true,
    cell: (finding) => count(finding.count),
    csv: (finding) => finding.count,
  },
  {
    key: "pointer",
    header: "First place",
    cell: (finding) => (finding.pointer ? <code>{finding.pointer}</code> : null),
    csv: (finding) => finding.pointer,
  },
  {
    key: "code",
    header: "Code",
    cell: (finding) => <code className="dim">{finding.code}</code>,
    csv: (finding) => finding.code,
  },
];

/** What the importer noticed: data beside the result. */
export function Findings({ findings, title = "Findings of the importer" }: { findings: Finding[]; title?: string }) {
  return (
    <Panel
      title={title}
      note={`${findings.length}`}
      tools={<SaveTable label={title} columns={columns} rows={findings} />}
    >
      <DataTable
        label={title}
        columns={columns}
        rows={findings}
        rowKey={(finding, index) => `${finding.code}-${index}`}
        empty={<p className="foot">Nothing to say: the file was read whole, and its numbers agree with each other.</p>}
      />
    </Panel>
  );
}
