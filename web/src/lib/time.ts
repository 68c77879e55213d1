// Times for people: UTC or local, relative where recent.

/** How absolute times are shown. */
export type Zone = "utc" | "local";

const pad = (value: number) => String(value).padStart(2, "0");

/** Date and time to the minute, in the zone asked for. */
export function instant(iso: string, zone: Zone = "utc"): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  if (zone === "utc") {
    return `${at.getUTCFullYear()}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())} ${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())} UTC`;
  }
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

/** How long ago, in the largest whole unit: "2 h", "3 d". */
export function ago(iso: string, now: number): string {
  const seconds = Math.round((now - new Date(iso).getTime()) / 1000);
  if (Number.isNaN(seconds)) return "";
  if (seconds < 0) return instant(iso).slice(0, 10);
  if (seconds < 60) return "now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  if (seconds < 60 * 86_400) return `${Math.floor(seconds / 86_400)} d`;
  return instant(iso).slice(0, 10);
}
