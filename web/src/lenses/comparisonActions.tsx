import { type FormEvent, useState } from "react";
import type { Result } from "../api/comparison";
import type { Lens } from "../api/nouns";
import { Dialog } from "../ui/Dialog";
import { TextField } from "../ui/Field";
import { GiveValueDialog } from "./giveValue";
import { rowOf } from "./registry";
import { AttachSetupDialog } from "./setupDialog";

/** What a person can do about a refusal or a cap. */
export interface Act {
  declare: (row: string, reason: string) => void;
  attest: (row: string, reason: string) => void;
  /** Takes back a declared change. */
  withdraw: (row: string) => void;
  /** Leads to where runs are added to the sides. */
  addLaunches: () => void;
  /** Called when values or setups of the runs have changed. */
  changed: () => void;
}

type Asked = "declare" | "attest" | "setup" | "dim" | "correct";

const words: Record<Asked, string> = {
  declare: "Declare as the intended change…",
  setup: "Attach a setup…",
  dim: "Give a value…",
  correct: "Correct the value…",
  attest: "Attest as equal…",
};

/** The buttons that lift a cap or a refusal, each with the form it opens. */
export function ActionButtons({
  ws,
  result,
  lens,
  row,
  actions,
  act,
  primary,
}: {
  ws: string;
  result: Result;
  lens: Lens | undefined;
  row: string | undefined;
  actions: string[];
  act: Act;
  primary?: boolean;
}) {
  const [asking, setAsking] = useState<Asked>();
  const close = () => setAsking(undefined);
  const offered = (Object.keys(words) as Asked[]).filter((what) => actions.includes(what));
  const label = result.dimensions.find((one) => one.key === row)?.label ?? row ?? "";
  const runs = [...result.baseline.runs, ...result.candidate.runs].flatMap((run) => (run.id ? [run.id] : []));
  const fields = row ? wantedFields(result, lens, row) : [];
  const button = primary ? "btn primary" : "btn";
  if (!row) {
    if (!actions.includes("record")) return null;
    return (
      <button type="button" className={button} onClick={act.addLaunches}>
        Add launches…
      </button>
    );
  }
  return (
    <span className="row">
      {offered.map((what) => (
        <button
          key={what}
          type="button"
          className={button}
          onClick={() => setAsking(what)}
          aria-label={`${words[what].replace("…", "")}: ${label}`}
        >
          {words[what]}
        </button>
      ))}
      {actions.includes("withdraw") && (
        <button type="button" className={button} onClick={() => act.withdraw(row)}>
          Take back the declaration
        </button>
      )}
      <ReasonDialog
        open={asking === "declare"}
        title={`Declare ${label} as the change you are testing`}
        hint="Declared before the result is computed, and part of it. Declaring more than one row makes the result confounded: it will say that the changes can't be told apart."
        placeholder="loader workers 0 to 4"
        onClose={close}
        onReason={(reason) => {
          close();
          act.declare(row, reason);
        }}
      />
      <ReasonDialog
        open={asking === "attest"}
        title={`Attest that ${label} is equal on both sides`}
        hint="You vouch for it: your name and the reason become part of the comparison, and its verdict is marked attested. It speaks of what is unknown only, and never overrides values that differ."
        placeholder="same machine, same day, seen by me"
        onClose={close}
        onReason={(reason) => {
          close();
          act.attest(row, reason);
        }}
      />
      <AttachSetupDialog
        ws={ws}
        runs={runs}
        runWords={runs.length === 1 ? "the run" : `all ${runs.length} runs of both sides`}
        lens={lens}
        suggest={fields}
        open={asking === "setup"}
        onClose={close}
        onAttached={act.changed}
      />
      <GiveValueDialog
        ws={ws}
        result={result}
        lens={lens}
        fields={fields}
        label={label}
        open={asking === "dim" || asking === "correct"}
        onClose={close}
        onGiven={act.changed}
      />
    </span>
  );
}

// The fields of a row that are not known on both sides; all of them if every one is.
function wantedFields(result: Result, lens: Lens | undefined, row: string): string[] {
  const all = rowOf(lens, row)?.fields ?? [];
  const found = result.dimensions.find((one) => one.key === row);
  const missing = (found?.fields ?? [])
    .filter((field) => field.baseline.absent || field.candidate.absent)
    .map((field) => field.key);
  return missing.length > 0 ? missing : all;
}

function ReasonDialog({
  open,
  title,
  hint,
  placeholder,
  onClose,
  onReason,
}: {
  open: boolean;
  title: string;
  hint: string;
  placeholder: string;
  onClose: () => void;
  onReason: (reason: string) => void;
}) {
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim()) onReason(reason.trim());
  };
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <TextField
          label="Reason"
          value={reason}
          onChange={setReason}
          required
          autoFocus
          placeholder={placeholder}
          hint={hint}
        />
        <button type="submit" className="btn primary" disabled={reason.trim() === ""}>
          Compute again
        </button>
      </form>
    </Dialog>
  );
}
