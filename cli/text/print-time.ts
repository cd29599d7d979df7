import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

export interface TimeOptions {
  /** IANA name; absent = the machine's own zone. */
  readonly tz?: string;
}

/** Refuses an unknown zone first. */
export function checkZone({ tz }: TimeOptions): void {
  try {
    Intl.DateTimeFormat("en-GB", { timeZone: tz });
  } catch {
    throw new Refusal(exitCodes.usage, `--tz ${tz}: there is no such time zone`, "say one as Europe/Berlin or UTC");
  }
}

/** `2026-11-19 16:43:05 CET`: sortable, with an unambiguous date and its zone. */
export function printTime(epochMs: number, { tz }: TimeOptions = {}): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: tz,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  });
  const parts = Object.fromEntries(format.formatToParts(epochMs).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second, timeZoneName } = parts;
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${timeZoneName}`;
}

/** `3 s`, `12 min`, `5 h`, `9 d`: an age for people. */
export function printAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}
