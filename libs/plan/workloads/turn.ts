/**
 * Which turn a workload has, by its place among those of its namespace (from 0): all first ones of the namespaces before all second
 * ones, so that no namespace with many keeps the others waiting. From the fifth on several share a turn, each time twice as many:
 * a cluster is counted by turns.
 */
export function chooseTurn(place: number): number {
  return place < 4 ? place : Math.floor(Math.log2(place)) + 2;
}

/** Alternates between two lists, beginning with the first; then the rest of the longer one. */
export function* alternate<T>(a: Iterable<T>, b: Iterable<T>): Generator<T, undefined> {
  let [first, second] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (let next = first.next(); next.done !== true; next = first.next()) {
    yield next.value;
    [first, second] = [second, first];
  }
  for (let next = second.next(); next.done !== true; next = second.next()) yield next.value;
}
