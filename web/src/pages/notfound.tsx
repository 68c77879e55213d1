import { Link } from "@tanstack/react-router";
import { Empty } from "../ui/Panel";
import { useTitle } from "../ui/title";

/** An address in the workspace nothing stands at: the frame stays. */
export function NotFoundInside() {
  useTitle("Not found");
  return (
    <div className="stack">
      <h1>Nothing stands at this address</h1>
      <Lost />
    </div>
  );
}

/** An address nothing stands at. */
export function NotFound() {
  useTitle("Not found");
  return (
    <main className="alone">
      <h1>Nothing stands at this address</h1>
      <Lost />
    </main>
  );
}

function Lost() {
  return (
    <section className="panel">
      <Empty
        title="The link may be cut off, or the thing was removed"
        action={
          <Link to="/" className="btn primary">
            Go to the start
          </Link>
        }
      >
        Runs, captures and comparisons are found by name or by the first characters of a digest: press <kbd>/</kbd> on
        any page.
      </Empty>
    </section>
  );
}
