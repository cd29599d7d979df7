import type { PullRequest } from "#libs/scm";

/** When a pull request was judged last, as a count that grows; absent = never. */
export type LastJudged = ReadonlyMap<number, number>;

/** Takes one of each author in turn, so that one author's many pull requests do not delay the others'. */
function interleaveByAuthor(pulls: readonly PullRequest[]): readonly PullRequest[] {
  const queues = new Map<string, PullRequest[]>();
  for (const pull of pulls) {
    const author = pull.author.toLowerCase();
    const queue = queues.get(author);
    if (queue === undefined) queues.set(author, [pull]);
    else queue.push(pull);
  }
  const most = Math.max(0, ...[...queues.values()].map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) => [...queues.values()].flatMap((queue) => queue[turn] ?? [])).flat();
}

/** Sorted by number, from index `start` (modulo the length) to the end, then from the beginning. */
function rotateFrom(start: number, pulls: readonly PullRequest[]): readonly PullRequest[] {
  const sorted = pulls.toSorted((a, b) => a.number - b.number);
  const place = sorted.length === 0 ? 0 : start % sorted.length;
  return [...sorted.slice(place), ...sorted.slice(0, place)];
}

/**
 * The order of judging: branches of the repository before forks; the authors take turns, each first with those that this
 * process has not judged, then with the one judged longest ago. `start` differs between processes, so that planners that live
 * for one round only do not judge the same ones each time.
 */
export function orderPulls(pulls: readonly PullRequest[], last: LastJudged, start: number): readonly PullRequest[] {
  const judged = pulls.filter(({ number }) => last.has(number));
  const waiting = [
    ...rotateFrom(
      start,
      pulls.filter(({ number }) => !last.has(number)),
    ),
    ...judged.toSorted((a, b) => (last.get(a.number) ?? 0) - (last.get(b.number) ?? 0)),
  ];
  const forks = waiting.filter(({ fork }) => fork === true);
  return [...interleaveByAuthor(waiting.filter(({ fork }) => fork !== true)), ...interleaveByAuthor(forks)];
}
