import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createRoute, getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { addSetupVersion, attachSetup } from "../api/actions";
import { problemOf } from "../api/client";
import type { Setup, SetupShow } from "../api/nouns";
import { setupQuery } from "../api/queries";
import { fieldOf, useLenses } from "../lenses/registry";
import { RunPicker } from "../lenses/runPicker";
import { readValues, writeValues } from "../lenses/setupDialog";
import { valueText } from "../lenses/values";
import { instant } from "../lib/time";
import { announce } from "../ui/Announce";
import { Dialog } from "../ui/Dialog";
import { TextArea } from "../ui/Field";
import { Loading, PageHead, Panel } from "../ui/Panel";
import { Problem } from "../ui/Problem";
import { Tag } from "../ui/Tag";
import { useTitle } from "../ui/title";
import { useWorkspace, workspaceRoute } from "./workspace";

export const route = createRoute({ getParentRoute: () => workspaceRoute, path: "setups/$setup", component: SetupPage });

const api = getRouteApi("/w/$ws/setups/$setup");

function SetupPage() {
  const ws = useWorkspace();
  const { setup: id } = api.useParams();
  const setup = useQuery(setupQuery(ws, id));
  useTitle("Setups", setup.data?.name ?? "…");
  if (setup.error) return <Problem problem={problemOf(setup.error)} onRetry={() => void setup.refetch()} />;
  if (!setup.data) return <Loading what="the setup" />;
  return <Shown ws={ws} setup={setup.data} />;
}

function Shown({ ws, setup }: { ws: string; setup: SetupShow }) {
  const [changing, setChanging] = useState(false);
  const [attaching, setAttaching] = useState(false);
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === ws });
  const attach = useMutation({
    mutationFn: async (runs: string[]) => {
      await attachSetup(ws, runs, setup);
      return runs.length;
    },
    onSuccess: async (number) => {
      setAttaching(false);
      announce(`Attached to ${number === 1 ? "one run" : `${number} runs`}`);
      await refresh();
    },
  });
  return (
    <div className="stack">
      <PageHead
        title={setup.name}
        marks={<Tag>version {setup.version}</Tag>}
        actions={
          <>
            <button type="button" className="btn" onClick={() => setChanging(true)}>
              New version…
            </button>
            <button type="button" className="btn primary" onClick={() => setAttaching(true)}>
              Attach to runs…
            </button>
          </>
        }
      >
        {instant(setup.created_at)} by {setup.created_by}. A version never changes; a comparison keeps the one it used.
      </PageHead>
      {attach.error && <Problem problem={problemOf(attach.error)} />}
      <Values setup={setup} title={`Values of version ${setup.version}`} />
      {setup.versions
        .filter((one) => one.version !== setup.version)
        .map((one) => (
          <details key={one.version}>
            <summary>
              Version {one.version}, {instant(one.created_at)} by {one.created_by}
            </summary>
            <Values setup={one} title={`Values of version ${one.version}`} />
          </details>
        ))}
      <NewVersion
        ws={ws}
        setup={setup}
        open={changing}
        onClose={() => setChanging(false)}
        onMade={() => void refresh()}
      />
      <RunPicker
        ws={ws}
        title={`Attach ${setup.name} to runs`}
        filters={{}}
        taken={[]}
        open={attaching}
        onClose={() => setAttaching(false)}
        onPick={(runs) => attach.mutate(runs)}
      />
    </div>
  );
}

function Values({ setup, title }: { setup: Setup; title: string }) {
  const lenses = useLenses();
  const field = (key: string) => lenses.map((lens) => fieldOf(lens, key)).find((found) => found);
  return (
    <Panel title={title}>
      <table className="data" aria-label={title}>
        <tbody>
          {Object.entries(setup.values).map(([key, value]) => (
            <tr key={key}>
              <td>
                {field(key)?.label ?? key} <span className="dim mono">{key}</span>
              </td>
              <td className="mono wrap">{valueText(value, field(key)?.unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function NewVersion({
  ws,
  setup,
  open,
  onClose,
  onMade,
}: {
  ws: string;
  setup: Setup;
  open: boolean;
  onClose: () => void;
  onMade: () => void;
}) {
  const [text, setText] = useState(writeValues(setup.values));
  const read = readValues(text);
  const make = useMutation({
    mutationFn: () => addSetupVersion(ws, setup.id, setup.version, read.values),
    onSuccess: () => {
      onClose();
      onMade();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Dialog open={open} onClose={onClose} title={`New version of ${setup.name}`} wide>
      <form onSubmit={submit}>
        <p className="sub">
          Runs that have version {setup.version} attached keep it until the new one is attached to them.
        </p>
        <TextArea
          label="Values, one key = value a line"
          value={text}
          onChange={setText}
          wrong={read.wrong}
          rows={10}
          mono
        />
        {make.error && <Problem problem={problemOf(make.error)} />}
        <button
          type="submit"
          className="btn primary"
          disabled={make.isPending || Object.keys(read.values).length === 0}
        >
          Make version {setup.version + 1}
        </button>
      </form>
    </Dialog>
  );
}
