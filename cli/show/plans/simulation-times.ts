import type { TimeOptions } from "../../text/print-time.ts";

const day = 86_400_000;

type Part = "weekday" | "day" | "month" | "year" | "hour" | "minute" | "zone";

function split(epochMs: number, { tz }: TimeOptions): Readonly<Record<Part, string>> {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: tz,
    weekday: "short",
    day: "2-digit",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  });
  const parts = Object.fromEntries(format.formatToParts(epochMs).map(({ type, value }) => [type, value]));
  const { weekday = "", month = "", year = "", hour = "", minute = "", timeZoneName: zone = "" } = parts;
  return { weekday, day: parts["day"] ?? "", month: month.slice(0, 3), year, hour, minute, zone };
}

/** A cell of nine letters: `Mon-09:05` within a week, `09Nov-09h` in a campaign that takes longer. */
export function printCell(epochMs: number | undefined, lengthMs: number, options: TimeOptions): string {
  if (epochMs === undefined) return "-";
  const { weekday, day: date, month, hour, minute } = split(epochMs, options);
  return lengthMs < 6 * day ? `${weekday}-${hour}:${minute}` : `${date}${month}-${hour}h`;
}

/** `Tue 8 Dec 2026 11:30 CET`. */
export function printMoment(epochMs: number, options: TimeOptions): string {
  const { weekday, day: date, month, year, hour, minute, zone } = split(epochMs, options);
  return `${weekday} ${Number(date)} ${month} ${year} ${hour}:${minute} ${zone}`;
}

/** `12 s`, `34 min`, `5 h 20 min`, `29 d 3 h`: two units at most. */
export function printLength(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours < 48) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  const [days, left] = [Math.floor(hours / 24), hours % 24];
  return left === 0 ? `${days} d` : `${days} d ${left} h`;
}
