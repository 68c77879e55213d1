import type { Maybe } from "../api/nouns";
import { Picture } from "../charts/Picture";
import { type Level, Waterfall } from "../charts/Waterfall";
import { count, percent } from "../lib/units";
import { isMissing, reasonInWords } from "../ui/Absent";
import { Panel } from "../ui/Panel";
import { Quantity } from "../ui/Quantity";

/** A pool's GPU-hours over the window, each what is left of the one before. */
interface Capacity {
  inventory_gpu_hours?: Maybe<number>;
  eligible_gpu_hours?: Maybe<number>;
  allocated_gpu_hours?: Maybe<number>;
  productive_gpu_hours?: Maybe<number>;
  held_idle_gpu_hours?: Maybe<number>;
  idle_with_demand_gpu_hours?: Maybe<number>;
  coverage?: Maybe<number>;
}

/** The queue: jobs that had not started are censored, never dropped. */
interface Waits {
  spells: number;
  ended: number;
  censored: number;
  p50_s: Maybe<number>;
  p95_s: Maybe<number>;
  p50_s_by_gpus: Maybe<number>;
  p95_s_by_gpus: Maybe<number>;
}

function level(label: string, value: Maybe<number> | undefined): Level {
  if (value === undefined) return { label, absent: "not recorded" };
  return isMissing(value) ? { label, absent: reasonInWords(value) } : { label, value };
}

/** Inventory, eligible, allocated, productive, and what waited meanwhile. */
export function FleetFigures({ figures, name }: { figures: Record<string, unknown> | undefined; name: string }) {
  const capacity = figures?.capacity as Capacity | undefined;
  const waits = figures?.waits as Waits | undefined;
  if (!capacity && !waits) return null;
  return (
    <div className="two">
      {capacity && <CapacityPicture capacity={capacity} name={name} />}
      {waits && <WaitsPanel waits={waits} />}
    </div>
  );
}

function CapacityPicture({ capacity, name }: { capacity: Capacity; name: string }) {
  const levels = [
    level("inventory", capacity.inventory_gpu_hours),
    level("eligible", capacity.eligible_gpu_hours),
    level("allocated", capacity.allocated_gpu_hours),
    level("productive", capacity.productive_gpu_hours),
  ];
  const covered = capacity.coverage;
  return (
    <Picture
      title="Capacity, GPU-hours"
      note={
        typeof covered === "number" ? `eligibility is known for ${percent(covered)} of the window` : "dashed: not known"
      }
      name={`${name} capacity`}
    >
      <Waterfall levels={levels} unit="GPU·h" label="Capacity" />
      <dl className="facts">
        <dt>Held idle</dt>
        <dd>
          <Quantity value={capacity.held_idle_gpu_hours} unit="{GPU}.h" />
        </dd>
        <dt>Idle while somebody waited</dt>
        <dd>
          <Quantity value={capacity.idle_with_demand_gpu_hours} unit="{GPU}.h" />
        </dd>
      </dl>
    </Picture>
  );
}

function WaitsPanel({ waits }: { waits: Waits }) {
  return (
    <Panel title="Queue waits" note={`${count(waits.spells)} waits, ${count(waits.censored)} of them had not ended`}>
      <table className="data" aria-label="queue waits">
        <thead>
          <tr>
            <th scope="col">Weighted</th>
            <th scope="col" className="n">
              p50
            </th>
            <th scope="col" className="n">
              p95
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>each job once</td>
            <td className="n">
              <Quantity value={waits.p50_s} unit="s" strong />
            </td>
            <td className="n">
              <Quantity value={waits.p95_s} unit="s" strong />
            </td>
          </tr>
          <tr>
            <td>by GPUs asked for</td>
            <td className="n">
              <Quantity value={waits.p50_s_by_gpus} unit="s" />
            </td>
            <td className="n">
              <Quantity value={waits.p95_s_by_gpus} unit="s" />
            </td>
          </tr>
        </tbody>
      </table>
      <p className="foot">Kaplan–Meier: a wait that had not ended counts as at least so long, and is never left out.</p>
    </Panel>
  );
}
