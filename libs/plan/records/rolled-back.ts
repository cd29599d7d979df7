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
export function listTakenBack(
  run: Pick<RunRecord, "order" | "changes">,
  all: readonly Placed[],
): readonly string[] {
  const taken = run.changes.flatMap(({ pattern }) => listTakenBackIn(run, pattern, all));
  return [...new Set(taken.toSorted((a, b) => a.order - b.order).map(({ id }) => id))];
}

/** The rollback's run that took this one back; undefined where none did. */
export function findRollbackOf(run: Placed, all: readonly Placed[]): string | undefined {
  return all
    .filter(({ order, state }) => order > run.order && state !== "gone")
    .toSorted((a, b) => a.order - b.order)
    .find((other) => listTakenBack(other, all).includes(run.id))?.id;
}

type Changed = Pick<RunRecord, "order" | "changes">;

/** Whether later runs took back everything that it changed, or are about to. */
export function wasRolledBack({ order, changes }: Changed, all: readonly Changed[]): boolean {
  const later = all.filter((other) => other.order > order).flatMap((other) => other.changes);
  const isTakenBack = ({ pattern, from, to }: Changed["changes"][number]): boolean =>
    later.some(
      (change) =>
        change.pattern === pattern && change.direction === "rollback" && change.from === to && change.to === from,
    );
  return changes.length > 0 && changes.every(isTakenBack);
}
