import type { NamespaceRow } from "#libs/plan";

const teams = ["payments", "listings", "pricing", "trust", "identity", "growth", "host", "guest", "search", "media"];

/** So many namespaces with realistic names and evenly distributed positions; those below `ramp` percent have moved. */
export function makeManyRows(count: number, ramp: number): readonly NamespaceRow[] {
  return Array.from({ length: count }, (_, at): NamespaceRow => {
    const name = `${teams[at % teams.length]}-${["api", "web", "worker", "sync"][at % 4]}-${at}`;
    const movesAt = Math.round(((at * 7919) % 9973) * 100.27) / 100 / 100;
    const isDone = movesAt < ramp;
    return [name, 0, movesAt, isDone ? 1 : 0, isDone ? 1 : 0, at % 997 === 0 ? 0 : 5, 1 + (at % 6), 0, [at % 6]];
  });
}
