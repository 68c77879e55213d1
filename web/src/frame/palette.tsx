import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { searchQuery } from "../api/queries";
import { shortDigest } from "../lib/units";
import { isDark, setTheme } from "../ui/theme";

interface Entry {
  key: string;
  kind: string;
  text: string;
  aside?: string;
  run: () => void;
}

/** Search and commands in one place: what is typed finds runs, digests, workloads and setups, and the things one can do. */
export function Palette({
  ws,
  onClose,
  onHelp,
  onSignOut,
}: {
  ws: string;
  onClose: () => void;
  onHelp: () => void;
  onSignOut: () => void;
}) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = useFound(ws, text);
  const commands = useCommands(ws, onHelp, onSignOut).filter((entry) =>
    entry.text.toLowerCase().includes(text.trim().toLowerCase()),
  );
  const entries = text.trim().length >= 2 ? [...found.entries, ...commands] : commands;
  const at = Math.min(active, Math.max(0, entries.length - 1));

  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen entry is kept in sight as it changes
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 };
    if (event.key in moves) {
      event.preventDefault();
      setActive(Math.max(0, Math.min(entries.length - 1, moves[event.key]!)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(entries[at]);
    }
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Search and commands"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="ask">
        <input
          type="search"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[at] ? `${id}-${at}` : undefined}
          aria-label="Search runs, digests, workloads, setups and commands"
          placeholder="Search runs, digests, workloads, setups, commands"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} className="results" id={`${id}-list`} role="listbox" aria-label="Results">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field chooses
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, as in any combobox
          <div
            key={entry.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseMove={() => setActive(index)}
            onClick={() => choose(entry)}
          >
            <span className="kind">{entry.kind}</span>
            <span>{entry.text}</span>
            {entry.aside && <span className="aside mono">{entry.aside}</span>}
          </div>
        ))}
      </div>
      {entries.length === 0 && (
        <p className="loading">
          {found.searching ? "Searching…" : `Nothing found for “${text}”. A digest is found by its first characters.`}
        </p>
      )}
    </dialog>
  );
}

function useFound(ws: string, text: string): { entries: Entry[]; searching: boolean } {
  const [asked, setAsked] = useState("");
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), 150);
    return () => clearTimeout(timer);
  }, [text]);
  const answer = useQuery(searchQuery(ws, asked));
  const data = asked.length >= 2 ? answer.data : undefined;
  const entries: Entry[] = [
    ...(data?.runs ?? []).map((run) => ({
      key: run.id,
      kind: "run",
      text: run.name,
      aside: run.workload,
      run: () => void navigate({ to: "/w/$ws/runs/$run", params: { ws, run: run.id } }),
    })),
    ...(data?.captures ?? []).map((capture) => ({
      key: capture.id,
      kind: "capture",
      text: capture.file_name ?? capture.format,
      aside: shortDigest(capture.sha256),
      run: () => void navigate({ to: "/w/$ws/captures/$capture", params: { ws, capture: capture.id } }),
    })),
    ...(data?.workloads ?? []).map((workload) => ({
      key: workload.id,
      kind: "workload",
      text: workload.name,
      aside: workload.lens,
      run: () => void navigate({ to: "/w/$ws/workloads/$workload", params: { ws, workload: workload.id } }),
    })),
    ...(data?.setups ?? []).map((setup) => ({
      key: setup.id,
      kind: "setup",
      text: setup.name,
      run: () => void navigate({ to: "/w/$ws/setups/$setup", params: { ws, setup: setup.id } }),
    })),
  ];
  return { entries, searching: answer.isFetching };
}

function useCommands(ws: string, onHelp: () => void, onSignOut: () => void): Entry[] {
  const navigate = useNavigate();
  const go = (
    text: string,
    aside: string,
    to:
      | "/w/$ws"
      | "/w/$ws/import"
      | "/w/$ws/runs"
      | "/w/$ws/workloads"
      | "/w/$ws/captures"
      | "/w/$ws/setups"
      | "/w/$ws/compare"
      | "/w/$ws/comparisons",
  ): Entry => ({
    key: to,
    kind: "go to",
    text,
    aside,
    run: () => void navigate({ to, params: { ws } }),
  });
  return [
    go("Start", "g s", "/w/$ws"),
    go("Import captures", "i", "/w/$ws/import"),
    go("Runs", "g r", "/w/$ws/runs"),
    go("Workloads", "g w", "/w/$ws/workloads"),
    go("Captures", "g c", "/w/$ws/captures"),
    go("Setups", "g e", "/w/$ws/setups"),
    go("Compare", "g d", "/w/$ws/compare"),
    go("Saved comparisons", "g o", "/w/$ws/comparisons"),
    {
      key: "theme",
      kind: "do",
      text: "Switch between dark and light",
      run: () => setTheme(isDark() ? "light" : "dark"),
    },
    { key: "theme-system", kind: "do", text: "Follow the system's dark or light", run: () => setTheme("system") },
    { key: "help", kind: "do", text: "Show the keys", aside: "?", run: onHelp },
    { key: "api", kind: "do", text: "Read the API's description", run: () => window.location.assign("/api/docs") },
    { key: "sign-out", kind: "do", text: "Sign out", run: onSignOut },
  ];
}
