import type { RunRecord } from "./ledger-state.ts";

type Placed = Pick<RunRecord, "id" | "order" | "changes" | "state">;

/** The forward runs of a bucket that one rollback of it takes back, newest first: main goes back to before the last of them. */
function listTakenBackIn(
  { order, changes }: Pick<RunRecord, "order" | "changes">,
  pattern: string,
  all: readonly Placed[],
): readonly Placed[] {
  const back = changes.find((each) => each.pattern === pattern && each.direction === "rollback");
  const earlier = all
    .filter((run) => run.order < order && run.state !== "gone")
    .toSorted((a, b) => b.order - a.order)
    .flatMap((run) => run.changes.flatMap((change) => (change.pattern === pattern ? [{ run, change }] : [])));
  const last = earlier.findIndex(({ change }) => change.from === back?.to);
  if (back === undefined || last < 0 || earlier[0]?.change.to !== back.from) return [];
  return earlier.slice(0, last + 1).flatMap(({ run, change }) => (change.direction === "forward" ? [run] : []));
}

/** The runs that a rollback's run takes back, in at least one bucket; oldest first. Empty for a forward run. */
export function listTakenBack(run: Pick<RunRecord, "order" | "changes">, all: readonly Placed[]): readonly string[] {
  const taken = run.changes.flatMap(({ pattern }) => listTakenBackIn(run, pattern, all));
  return [...new Set(taken.toSorted((a, b) => a.order - b.order).map(({ id }) => id))];
}

/** The rollback's run that took back the last bucket that this run moved forward; undefined while one of them still stands. */
export function findRollbackOf(run: Placed, all: readonly Placed[]): string | undefined {
  const later = all
    .filter(({ order, state }) => order > run.order && state !== "gone")
    .toSorted((a, b) => a.order - b.order);
  const moved = run.changes.filter(({ direction }) => direction === "forward");
  const backs = moved.map(({ pattern }) =>
    later.find((other) => listTakenBackIn(other, pattern, all).some(({ id }) => id === run.id)),
  );
  if (backs.includes(undefined)) return undefined;
  return backs.toSorted((a, b) => (a?.order ?? 0) - (b?.order ?? 0)).at(-1)?.id;
}
