import { parseDuration } from "#libs/campaign";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

export interface UntilOptions {
  readonly for?: string;
  readonly until?: string;
}

const forms = "--for 4h, --until 16:30 or --until 2026-11-19T16:30+01:00";

/** The next time at which a clock here shows it. */
function findNext(hours: number, minutes: number, now: number): number {
  const day = new Date(now);
  day.setHours(hours, minutes, 0, 0);
  if (day.getTime() <= now) day.setDate(day.getDate() + 1);
  return day.getTime();
}

/** Epoch ms; undefined for a text that is not a time. Without a zone it is this machine's. */
function readTime(text: string, now: number): number | undefined {
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/u.exec(text);
  if (clock !== null) return findNext(Number(clock[1]), Number(clock[2]), now);
  const isIso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/u.test(text);
  const time = isIso ? Date.parse(text.replace(" ", "T")) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** When a stop is overdue, ISO; undefined without an end. `now` is epoch ms. */
export function parseUntil(options: UntilOptions, now: number): string | undefined {
  if (options.for !== undefined && options.until !== undefined) {
    throw new Refusal(exitCodes.usage, "--for and --until say the same thing twice", "give one of them");
  }
  if (options.for !== undefined) {
    const ms = parseDuration(options.for);
    if (ms === undefined || ms === 0) {
      throw new Refusal(exitCodes.usage, `--for ${options.for} is not a duration`, "say it as 4h, 90m or 1d12h");
    }
    return new Date(now + ms).toISOString();
  }
  if (options.until === undefined) return undefined;
  const time = readTime(options.until, now);
  if (time === undefined) throw new Refusal(exitCodes.usage, `--until ${options.until} is not a time`, `say ${forms}`);
  if (time <= now) throw new Refusal(exitCodes.usage, `--until ${options.until} is in the past`, `say ${forms}`);
  return new Date(time).toISOString();
}
