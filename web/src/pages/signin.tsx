import { type FormEvent, useState } from "react";
import { TextField } from "../ui/Field";
import { useTitle } from "../ui/title";

/** Shown to whoever is not signed in: how to get in. */
export function SignIn() {
  useTitle("Sign in");
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string>();
  const failed = new URLSearchParams(window.location.search).get("signin") === "failed";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const token = tokenIn(text);
    if (!token) return setWrong("This holds no token: paste the whole link, or the part after token=");
    window.location.assign(`/signin?token=${encodeURIComponent(token)}`);
  };
  return (
    <main className="alone">
      <h1>Sign in to Kernelwake</h1>
      <p className="sub">
        This workspace opens with a sign-in link. The server printed one when it started for the first time; it works
        once, and this browser then stays signed in.
      </p>
      {failed && (
        <p className="bar-note" role="alert">
          That sign-in link opens nothing: it was used before, or is not one of this server's.
        </p>
      )}
      <form className="panel" onSubmit={submit}>
        <TextField
          label="Sign-in link or token"
          value={text}
          wrong={wrong}
          onChange={(value) => {
            setText(value);
            setWrong(undefined);
          }}
          placeholder="http://…/signin?token=…"
          mono
          autoFocus
        />
        <button type="submit" className="btn primary">
          Sign in
        </button>
      </form>
      <section className="panel">
        <h2>The link is used up or lost?</h2>
        <p className="sub" style={{ marginTop: 8 }}>
          Whoever holds the server's data folder can make a new one:
        </p>
        <pre className="code">graphsignal-server token create --data DIR --role admin --workspace default</pre>
      </section>
    </main>
  );
}

/** The token of a pasted link, or the pasted text itself where it looks like one. */
export function tokenIn(text: string): string | undefined {
  const trimmed = text.trim();
  const inLink = /[?&]token=([^&\s]+)/.exec(trimmed)?.[1];
  if (inLink) return decodeURIComponent(inLink);
  return /^[\w.~-]{16,}$/.test(trimmed) ? trimmed : undefined;
}
