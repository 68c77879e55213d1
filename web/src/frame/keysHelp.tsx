import { Dialog } from "../ui/Dialog";

const groups: { title: string; keys: [string, string][] }[] = [
  {
    title: "Everywhere",
    keys: [
      ["/", "search runs, digests, workloads, setups"],
      ["Ctrl K", "commands"],
      ["?", "these keys"],
      ["g s", "start"],
      ["g r", "runs"],
      ["g w", "workloads"],
      ["g c", "captures"],
      ["g e", "setups"],
      ["g d", "compare"],
      ["g o", "saved comparisons"],
      ["i", "import"],
    ],
  },
  {
    title: "In tables",
    keys: [
      ["↑ ↓", "from row to row"],
      ["Home End", "first and last row"],
      ["Space", "select the row"],
      ["Enter", "open the row"],
      ["c", "compare what is selected"],
    ],
  },
  {
    title: "On a timeline",
    keys: [
      ["w s", "zoom in and out"],
      ["a d", "pan"],
      ["f", "fit all"],
      ["← → ↑ ↓", "from span to span, from track to track"],
      ["Ctrl wheel", "zoom where the pointer is"],
    ],
  },
];

/** Every key, grouped by where it works. */
export function KeysHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keys">
      {groups.map((group) => (
        <section key={group.title}>
          <h3>{group.title}</h3>
          <dl className="facts">
            {group.keys.map(([keys, meaning]) => (
              <div key={keys} style={{ display: "contents" }}>
                <dt>
                  {keys.split(" ").map((one) => (
                    <kbd key={one} style={{ marginRight: 4 }}>
                      {one}
                    </kbd>
                  ))}
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
