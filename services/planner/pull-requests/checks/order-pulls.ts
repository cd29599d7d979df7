import type { PullRequest } from "#libs/scm";

/** When a pull request was judged last, as a count that grows; absent = never. */
export type LastJudged = ReadonlyMap<number, number>;

/** One after the other of each author, so that a thousand pull requests of one keep no others waiting. */
function takeTurns(pulls: readonly PullRequest[]): readonly PullRequest[] {
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

/** By number, beginning at this place and going on from the first. */
function turnTo(start: number, pulls: readonly PullRequest[]): readonly PullRequest[] {
  const sorted = pulls.toSorted((a, b) => a.number - b.number);
  const place = sorted.length === 0 ? 0 : start % sorted.length;
  return [...sorted.slice(place), ...sorted.slice(0, place)];
}

/**
 * Whose turn it is: branches of the repository before forks, and of each author one that was never judged by this process, then
 * the one that was judged longest ago. `start`: another number for each process, so that planners that live for one round only do
 * not judge the same ones each time.
 */
export function orderPulls(pulls: readonly PullRequest[], last: LastJudged, start: number): readonly PullRequest[] {
  const judged = pulls.filter(({ number }) => last.has(number));
  const waiting = [
    ...turnTo(
      start,
      pulls.filter(({ number }) => !last.has(number)),
    ),
    ...judged.toSorted((a, b) => (last.get(a.number) ?? 0) - (last.get(b.number) ?? 0)),
  ];
  const forks = waiting.filter(({ fork }) => fork === true);
  return [...takeTurns(waiting.filter(({ fork }) => fork !== true)), ...takeTurns(forks)];
}
