// What every journey finds in the workspace: the project's own recordings, and
// captures made here for the answers that recordings don't give.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Api } from "./api";
import { launches, type Made, tinyTrace } from "./captures";

/** Ids of what was brought in, by name. */
export interface Seeded {
  runs: Record<string, string>;
  captures: Record<string, string>;
  setups: Record<string, string>;
}

export async function seed(address: string, token: string, root: string): Promise<Seeded> {
  const api = new Api(address, token);
  const seeded: Seeded = { runs: {}, captures: {}, setups: {} };
  const bring = async (workload: string, group: string, files: Made[], more: Record<string, string> = {}) => {
    for (const file of files) {
      const name = file.name.replace(/(\.pt\.trace)?\.(kwcap\.)?(json|zip)(\.gz)?$/, "");
      const [run] = await api.bring([file], { workload, run: name, replicate_group: group, ...more });
      seeded.runs[name] = run!.id;
      seeded.captures[name] = run!.captures[0]!.id;
    }
  };
  const recordings = join(root, "examples/recordings");
  const recorded = (folder: string, start: string): Made[] =>
    readdirSync(join(recordings, folder))
      .filter((name) => name.startsWith(start) && /\.(json\.gz|zip|kwcap\.json)$/.test(name))
      .sort()
      .map((name) => ({ name, bytes: readFileSync(join(recordings, folder, name)) }));

  await bring("image classifier", "loader0", recorded("training", "loader0"));
  await bring("image classifier", "loader2", recorded("training", "loader2"));
  await bring("image classifier", "narrow", recorded("training", "narrow"));
  for (const side of ["seqs2", "seqs8"]) {
    const written = JSON.parse(readFileSync(join(recordings, `serving/setup-${side}.json`), "utf8")) as object;
    const setup = await api.post<{ id: string; name: string }>("setups", written);
    seeded.setups[setup.name] = setup.id;
    await bring("batch limit", side, recorded("serving", side), { setup_id: setup.id });
  }
  await bring("GPU pool", "fifo", recorded("fleet", "fifo"));
  await bring("GPU pool", "backfill", recorded("fleet", "backfill"));
  await bring("tiny trace", "trace", [tinyTrace()]);

  // One gate row unknown on both sides: three pairs, each lifted another way.
  for (const way of ["by-setup", "by-attesting", "by-value"]) {
    const unknown = { world_size: undefined };
    await bring(`lifted ${way}`, `${way}-a`, launches(`${way}-a`, 100, 0, 4, unknown));
    await bring(`lifted ${way}`, `${way}-b`, launches(`${way}-b`, 80, 1, 4, unknown));
  }
  return seeded;
}
