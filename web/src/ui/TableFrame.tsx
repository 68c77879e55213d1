import { type CSSProperties, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import "./table.css";

/**
 * Holds a table that may be wider or longer than its place. Where it scrolls
 * and nothing inside takes the focus, the frame does, so that the keyboard can
 * scroll it.
 */
export function TableFrame({
  tall,
  style,
  frame,
  label,
  onKeyDown,
  children,
}: {
  tall?: boolean;
  style?: CSSProperties;
  frame?: RefObject<HTMLDivElement | null>;
  label: string;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}) {
  const own = useRef<HTMLDivElement>(null);
  const element = frame ?? own;
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const check = () => {
      const scrolls = target.scrollHeight > target.clientHeight + 1 || target.scrollWidth > target.clientWidth + 1;
      const reachable = target.querySelector("a, button, input, summary, [tabindex]") !== null;
      if (scrolls && !reachable) {
        target.tabIndex = 0;
        target.setAttribute("role", "region");
        target.setAttribute("aria-label", label);
      } else {
        for (const name of ["tabindex", "role", "aria-label"]) target.removeAttribute(name);
      }
    };
    check();
    const observer = new ResizeObserver(check);
    observer.observe(target);
    return () => observer.disconnect();
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are those of the links and boxes inside
    <div ref={element} className={tall ? "table-frame tall" : "table-frame"} style={style} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
