import { BoundedMemory } from "#libs/input";

/** Zones may be written in any case, so the cache is bounded. */
const formats = new BoundedMemory<Intl.DateTimeFormat>(100);

function makeFormat(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
}

/** Making a format takes fifty times as long as using it. */
function openZone(zone: string): Intl.DateTimeFormat {
  return formats.recall(zone, () => makeFormat(zone));
}

/** Whether a name is in the IANA time zone database. Offsets such as `+01:00` have no daylight saving time and are refused. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(zone)) return false;
  try {
    openZone(zone);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Days from 1970-01-01 to a date of the Gregorian calendar, months from 1, without a `Date`. */
export function countDays(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** @internal The wall-clock time of a zone at an instant, as the epoch ms at which UTC shows the same. */
export function toLocal(zone: string, instant: number): number {
  const fields: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of openZone(zone).formatToParts(instant)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  const seconds = countDays(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  return seconds * 1000 + (((instant % 1000) + 1000) % 1000);
}

const dayMs = 86_400_000;

/** From `start` (epoch ms) on the wall clock is `offset` ms ahead of UTC. */
interface Offset {
  readonly start: number;
  readonly offset: number;
}

/** The instant between two others at which the offset changes, to the second. */
function findChange(zone: string, before: number, after: number): number {
  const offset = toLocal(zone, after) - after;
  let [low, high] = [before, after];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (toLocal(zone, middle) - middle === offset) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The offsets of a zone between two instants (epoch ms in whole days), sampled once a day: no zone changes twice within one.
 */
function listOffsets(zone: string, from: number, to: number): readonly Offset[] {
  const offsets: Offset[] = [{ start: from, offset: toLocal(zone, from) - from }];
  for (let day = from + dayMs; day <= to; day += dayMs) {
    const offset = toLocal(zone, day) - day;
    if (offset === offsets.at(-1)?.offset) continue;
    offsets.push({ start: findChange(zone, day - dayMs, day), offset });
  }
  return offsets;
}

/** Converts a zone's wall-clock time into epoch ms. */
export type ToInstant = (local: number, whenTwice: "first" | "last") => number;

function pick(found: readonly number[], whenTwice: "first" | "last"): number {
  return (whenTwice === "first" ? found[0] : found.at(-1)) ?? 0;
}

/**
 * The reverse of `toLocal` within a range (epoch ms in whole days). A time that the wall clock shows twice is the first or the
 * last of the two; one that it skips is the instant of the change.
 */
export function openInstants(zone: string, from: number, to: number): ToInstant {
  const offsets = listOffsets(zone, from, to);
  return (local, whenTwice) => {
    const found: number[] = [];
    for (const [index, { start, offset }] of offsets.entries()) {
      const instant = local - offset;
      // The clock skips it: from the change on it shows later times.
      if (index > 0 && instant < start) return found.length > 0 ? pick(found, whenTwice) : start;
      if (instant < (offsets[index + 1]?.start ?? Number.POSITIVE_INFINITY)) found.push(instant);
    }
    return pick(found, whenTwice);
  };
}
