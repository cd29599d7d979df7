/** What the page shows: the status without its ages, the stamp of the table, and the ledger's newest transition. */
export interface Shown {
  /** Epoch ms by the fleet's clock. */
  readonly time: number;
  readonly status: string;
  readonly table: string;
  readonly sequence: number | undefined;
}

/** The last picture: what it showed, and when it was taken. */
export interface Taken extends Shown {
  /** Monotonic ms. */
  readonly at: number;
  /** How long it took, real ms. */
  readonly costMs: number;
}

/** Shortest time between two pictures, real ms. */
const leastMs = 1000;
/** Time until a change is in a picture although the ledger did not move, ms by the fleet's clock, or real ones. */
const quietMs = 60_000;
/** The largest part of the time that may go into pictures: decisions wait meanwhile. */
const mostShare = 1 / 20;

/**
 * Whether a picture is to be taken: something changed since the last, and either the ledger moved or a minute passed. Where the
 * fleet's clock is faster, as in the demo, it is a minute of that one. Pure.
 */
export function isPictureDue(shown: Shown, last: Taken | undefined, now: number): boolean {
  if (last === undefined) return true;
  if (shown.status === last.status && shown.table === last.table) return false;
  const passed = now - last.at;
  if (passed < Math.max(leastMs, last.costMs / mostShare)) return false;
  return shown.sequence !== last.sequence || Math.max(passed, shown.time - last.time) >= quietMs;
}

/** Seconds by the fleet's clock. */
const day = 86_400;
const month = 30 * day;
const quarter = 900;
/** In all pictures together. */
const mostBytes = 256 * 1024 * 1024;
/** For a small fleet: the index is written with each picture, and has eleven bytes for one. @internal */
export const mostPictures = 10_000;

/** How many pictures of this size are kept. Pure. */
export function boundPictures(bytes: number): number {
  return Math.max(1, Math.min(mostPictures, Math.floor(mostBytes / Math.max(1, bytes))));
}

/** So many are removed by one choice: one wrong reading of the clock, or one large status, costs no more than these. @internal */
export const mostRemoved = 50;
/** So far ahead is a picture of a clock that was set back, and not of one that differs a little between two planners. */
const mostAhead = 600;

/** What is not in the last 24 h and not the first of a quarter of an hour of 30 days, of sorted times. */
function listUntimely(times: readonly number[], newest: number): readonly number[] {
  const quarters = new Set<number>();
  return times.filter((time) => {
    if (time > newest + mostAhead || time < newest - month) return true;
    if (time > newest - day) return false;
    const place = Math.floor(time / quarter);
    const isLater = quarters.has(place);
    quarters.add(place);
    return isLater;
  });
}

/** The place of the picture that is closest to the one before it, the oldest of several; never the newest's. */
function findClosest(times: readonly number[], newest: number): number | undefined {
  let closest: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  let before = -Number.MAX_VALUE;
  for (const [place, time] of times.entries()) {
    if (time !== newest && time - before < least) [closest, least] = [place, time - before];
    before = time;
  }
  return closest;
}

/**
 * The times of the pictures that stay, the oldest first, of epoch seconds by the fleet's clock. Where they are too many, the
 * ones that are closest to their neighbour go first, so that busy minutes become coarser and no hour is lost. `newest` always
 * stays, and what is too much for one choice goes with the next ones. Pure.
 */
export function choosePictures(times: readonly number[], newest: number, most: number): readonly number[] {
  const sorted = [...new Set([...times, newest])].toSorted((a, b) => a - b);
  const untimely = new Set(listUntimely(sorted, newest).slice(0, mostRemoved));
  const kept = sorted.filter((time) => !untimely.has(time));
  const least = Math.max(1, most, sorted.length - mostRemoved);
  while (kept.length > least) {
    const place = findClosest(kept, newest);
    if (place === undefined) break;
    kept.splice(place, 1);
  }
  return kept;
}
