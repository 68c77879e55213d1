import { type ReactNode, useId } from "react";

/** A titled box. What the picture or table means stands beside the title. */
export function Panel({
  title,
  note,
  tools,
  children,
  className,
}: {
  title: ReactNode;
  note?: ReactNode;
  tools?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  const id = useId();
  return (
    <section className={className ? `panel ${className}` : "panel"} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note && <span className="dim">{note}</span>}
        {tools && <div className="tools">{tools}</div>}
      </header>
      {children}
    </section>
  );
}

/** The first line of a page: its name, marks and actions. */
export function PageHead({
  title,
  marks,
  actions,
  children,
}: {
  title: ReactNode;
  marks?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div>
      <div className="head">
        <h1>{title}</h1>
        {marks}
        {actions && <div className="row push">{actions}</div>}
      </div>
      {children && <div className="sub page-sub">{children}</div>}
    </div>
  );
}

/** What an empty place teaches: what belongs here and how to get it. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <div className="title">{title}</div>
      {children && <div className="sub">{children}</div>}
      {action}
    </div>
  );
}

/** A list that is not whole says so above itself. */
export function TruncationBar({
  kept,
  of,
  bound,
  advice,
}: {
  kept: number;
  of: number;
  bound: string;
  advice?: ReactNode;
}) {
  return (
    <div className="bar-note" role="status">
      {kept.toLocaleString("en")} of {of.toLocaleString("en")} shown ({bound}).{" "}
      {advice ?? "Narrow the filters or download all."}
    </div>
  );
}

/** Waiting, in words; nothing spins. */
export function Loading({ what }: { what: string }) {
  return (
    <div className="loading" role="status">
      Reading {what}…
    </div>
  );
}

/** How much of something is known. */
export function KnownBar({ known, of }: { known: number; of: number }) {
  const share = of > 0 ? known / of : 0;
  return (
    <span className="known" data-tip={`${known} of ${of} dimensions of the lens are known`}>
      <span className="track" aria-hidden="true">
        <div style={{ width: `${share * 100}%` }} />
      </span>
      <span className="dim">
        {known} of {of}
      </span>
    </span>
  );
}

/** A share of work done, for people and for screen readers. */
export function Progress({ value, label }: { value: number; label: string }) {
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(value * 100)}
    >
      <div style={{ width: `${value * 100}%` }} />
    </div>
  );
}
