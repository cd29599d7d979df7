import { dig } from "./dig.ts";
import { readDuration } from "./durations.ts";

const days: Readonly<Record<string, number>> = { sun: 0, mon: 1, tue: 2, wed: 3, thu: 4, fri: 5, sat: 6 };
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function toNumber(text: string): number {
  const word = text.toLowerCase();
  if (word in days) return days[word] ?? 0;
  return months.includes(word) ? months.indexOf(word) + 1 : Number(word);
}

/** One part of a cron field: a value, a range or `*`, each perhaps with a step. */
function fitsPart(part: string, value: number): boolean {
  const [range = "*", step] = part.split("/");
  const every = Number(step ?? "1");
  if (range === "*") return value % every === 0;
  const [from = "", to] = range.split("-");
  const low = toNumber(from);
  const high = to === undefined ? (step === undefined ? low : Number.POSITIVE_INFINITY) : toNumber(to);
  return value >= low && value <= high && (value - low) % every === 0;
}

/** True when one cron field has the value: any part of its list. */
function fits(field: string | undefined, value: number): boolean {
  return (field ?? "*").split(",").some((part) => fitsPart(part, value));
}

/** The wall clock of a zone, as numbers. */
interface Wall {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function readWall(at: number, timeZone: string): Wall {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hourCycle: "h23",
      weekday: "short",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
  formats.set(timeZone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const weekday = toNumber(parts.get("weekday") ?? "");
  return { minute: read("minute"), hour: read("hour"), day: read("day"), month: read("month"), weekday };
}

/** Of the two fields for days either suffices when both are given. */
function fitsDay(day: string | undefined, weekday: string | undefined, wall: Wall): boolean {
  const isWeekday = fits(weekday, wall.weekday) || (wall.weekday === 0 && fits(weekday, 7));
  const isDay = fits(day, wall.day);
  return day === "*" || weekday === "*" ? isDay && isWeekday : isDay || isWeekday;
}

function opens(schedule: string, wall: Wall): boolean {
  const [minute, hour, day, month, weekday] = schedule.trim().split(/\s+/u);
  const isTime = fits(minute, wall.minute) && fits(hour, wall.hour);
  return isTime && fits(month, wall.month) && fitsDay(day, weekday, wall);
}

const minuteMs = 60_000;

/** True when a window that opens by the schedule is open; undefined where the window cannot be read. */
function isInWindow(window: unknown, at: number): boolean | undefined {
  const [schedule, timeZone] = [dig(window, "schedule"), dig(window, "timeZone")];
  const duration = readDuration(dig(window, "duration"));
  if (typeof schedule !== "string" || typeof timeZone !== "string" || duration === undefined) return undefined;
  const last = Math.floor(at / minuteMs);
  for (let minute = last; minute * minuteMs > at - duration; minute -= 1)
    if (opens(schedule, readWall(minute * minuteMs, timeZone))) return true;
  return false;
}

/** What a calendar says of a moment. */
export type CalendarWord = "open" | "closed" | "unread";

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A freeze beats all, a denying window beats an allowing one; without an allowing window all time is allowed. */
export function readCalendar(windows: unknown, freezes: unknown, at: number): CalendarWord {
  const isFrozen = list(freezes).some((each) => {
    const [from, to] = [dig(each, "from"), dig(each, "to")].map((time) => Date.parse(String(time)));
    return from !== undefined && to !== undefined && at >= from && at < to;
  });
  if (isFrozen) return "closed";
  const seen = list(windows).map((window) => ({
    isDeny: dig(window, "kind") === "deny",
    isIn: isInWindow(window, at),
  }));
  if (seen.some(({ isIn }) => isIn === undefined)) return "unread";
  if (seen.some(({ isDeny, isIn }) => isDeny && isIn === true)) return "closed";
  const allowing = seen.filter(({ isDeny }) => !isDeny);
  return allowing.length === 0 || allowing.some(({ isIn }) => isIn === true) ? "open" : "closed";
}
