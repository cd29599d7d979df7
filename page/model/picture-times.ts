/** The place of the newest time that is not later than `at`; -1 where all are later. All are ISO times in UTC, sorted. Pure. */
function findPlace(times: readonly string[], at: string): number {
  return times.findLastIndex((time) => time <= at);
}

/** Pictures next to the one that is shown. */
export interface Neighbours {
  readonly place: number;
  readonly earlier: string | undefined;
  readonly later: string | undefined;
}

/** The pictures before and after the one of this moment. Pure. */
export function findNeighbours(times: readonly string[], at: string): Neighbours {
  const place = findPlace(times, at);
  return { place, earlier: place > 0 ? times[place - 1] : undefined, later: times[place + 1] };
}
