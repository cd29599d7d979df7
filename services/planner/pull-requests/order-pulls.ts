import type { PullRequest } from "#libs/github";

/** When a pull request was judged last, as a count that grows; absent = never. */
export type LastJudged = ReadonlyMap<number, number>;

/** One after the other of each author, so that a thousand pull requests of one keep those of nobody else waiting. */
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

/**
 * Whose turn it is: branches of the repository before forks, and of each author the one first that was judged longest ago;
 * of one that was never judged, the oldest.
 */
export function orderPulls(pulls: readonly PullRequest[], last: LastJudged): readonly PullRequest[] {
  const waiting = pulls.toSorted(
    (a, b) => (last.get(a.number) ?? 0) - (last.get(b.number) ?? 0) || a.number - b.number,
  );
  const forks = waiting.filter(({ fork }) => fork === true);
  return [...takeTurns(waiting.filter(({ fork }) => fork !== true)), ...takeTurns(forks)];
}
