import { type ReactNode, useRef } from "react";
import { Panel } from "../ui/Panel";
import { savePNG } from "./png";

/**
 * A titled picture: its legend in the title line, a PNG of it, and the same
 * numbers as a table one step below.
 */
export function Picture({
  title,
  note,
  name,
  tools,
  table,
  children,
}: {
  title: ReactNode;
  note?: ReactNode;
  /** File name of the PNG. */
  name: string;
  tools?: ReactNode;
  table?: ReactNode;
  children: ReactNode;
}) {
  const inside = useRef<HTMLDivElement>(null);
  return (
    <Panel
      title={title}
      note={note}
      tools={
        <>
          {tools}
          <button
            type="button"
            className="btn quiet"
            aria-label={`Download ${name} as PNG`}
            onClick={() => {
              const picture = inside.current?.querySelector<HTMLCanvasElement | SVGSVGElement>("canvas, svg[role=img]");
              if (picture) void savePNG(picture, name);
            }}
          >
            PNG
          </button>
        </>
      }
    >
      <div ref={inside}>{children}</div>
      {table && (
        <details className="as-table">
          <summary>As a table</summary>
          {table}
        </details>
      )}
    </Panel>
  );
}
