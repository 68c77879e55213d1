import { quantity, quantityText } from "../lib/units";
import { Absent, isMissing, type Missing } from "./Absent";
import { copyText } from "./Copy";

/**
 * A value with its unit, or its absence with the reason. The exact value is a
 * hover away; where `copy` is set, a click copies it with its unit.
 */
export function Quantity({
  value,
  unit,
  strong,
  copy,
}: {
  value: number | Missing | undefined;
  unit: string;
  strong?: boolean;
  copy?: boolean;
}) {
  if (value === undefined) return <Absent absent="not_recorded" />;
  if (isMissing(value)) return <Absent {...value} />;
  const shown = quantity(value, unit);
  const exact = unit === "1" ? String(value) : `${value} ${unit}`;
  const inside = (
    <>
      <span className={strong ? "value" : undefined}>{shown.number}</span>
      {shown.unit && <span className="unit"> {shown.unit}</span>}
    </>
  );
  if (!copy) {
    return (
      <span className="nowrap" data-tip={exact}>
        {inside}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="quantity nowrap"
      data-tip={`${exact}\nClick to copy`}
      aria-label={`${quantityText(value, unit)}, copy`}
      onClick={() => copyText(exact, "value")}
    >
      {inside}
    </button>
  );
}
