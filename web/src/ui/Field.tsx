import { type ReactNode, useId } from "react";

interface Common {
  label: ReactNode;
  hint?: ReactNode;
  wrong?: string;
}

/** A labelled line of text. */
export function TextField({
  label,
  hint,
  wrong,
  value,
  onChange,
  mono,
  autoFocus,
  ...rest
}: Common & {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  required?: boolean;
  /** Takes the focus when its dialog or page opens. */
  autoFocus?: boolean;
  list?: string;
  mono?: boolean;
  type?: "text" | "search";
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        data-autofocus={autoFocus || undefined}
        // biome-ignore lint/a11y/noAutofocus: only in dialogs and on a page that is one form
        autoFocus={autoFocus}
        className={mono ? "mono" : undefined}
        value={value}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={hint || wrong ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      <Note id={`${id}-note`} hint={hint} wrong={wrong} />
    </div>
  );
}

/** A labelled text of several lines. */
export function TextArea({
  label,
  hint,
  wrong,
  value,
  onChange,
  mono,
  ...rest
}: Common & {
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  required?: boolean;
  rows?: number;
  mono?: boolean;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        {...rest}
        id={id}
        className={mono ? "mono" : undefined}
        value={value}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={hint || wrong ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      <Note id={`${id}-note`} hint={hint} wrong={wrong} />
    </div>
  );
}

/** One of several, by name. */
export function SelectField({
  label,
  hint,
  wrong,
  value,
  onChange,
  options,
  required,
}: Common & {
  value: string;
  onChange: (value: string) => void;
  options: { value: string; label: string }[];
  required?: boolean;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        required={required}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={hint || wrong ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Note id={`${id}-note`} hint={hint} wrong={wrong} />
    </div>
  );
}

function Note({ id, hint, wrong }: { id: string; hint?: ReactNode; wrong?: string }) {
  if (!hint && !wrong) return null;
  return (
    <div id={id}>
      {wrong && <div className="wrong">{wrong}</div>}
      {hint && <div className="hint">{hint}</div>}
    </div>
  );
}

/** A filter that is part of the address: any, or one value. */
export function FilterSelect({
  label,
  value,
  onChange,
  options,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  options: { value: string; label: string }[];
}) {
  return (
    <select
      aria-label={label}
      className={value ? "set" : undefined}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{label}: any</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {label}: {option.label}
        </option>
      ))}
    </select>
  );
}
