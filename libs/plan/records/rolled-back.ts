import type { RunRecord } from "./ledger-state.ts";

type Placed = Pick<RunRecord, "id" | "order" | "changes" | "state">;
type Began = Pick<RunRecord, "id" | "order" | "changes">;

/** A forward change of a bucket that still stands. */
interface Move {
  readonly run: Began;
  readonly from: string;
}

/** Takes the changes back down to the one that began at `to`; none where no change did, as where main goes back only a part. */
function takeBack(moves: Move[], to: string): readonly Move[] {
  const last = moves.findLastIndex(({ from }) => from === to);
  return last < 0 ? [] : moves.splice(last);
}

/** By run that was taken back in this bucket: the rollback's run. Each rollback takes back what still stands above its target. */
function walkRollbacks(pattern: string, runs: readonly Began[]): ReadonlyMap<string, Began> {
  const moves: Move[] = [];
  const taken = new Map<string, Began>();
  for (const run of runs.toSorted((a, b) => a.order - b.order)) {
    const change = run.changes.find((each) => each.pattern === pattern);
    if (change === undefined) continue;
    if (change.direction === "forward") moves.push({ run, from: change.from });
    else for (const each of takeBack(moves, change.to)) taken.set(each.run.id, run);
  }
  return taken;
}

/** The runs that a rollback's run takes back, in at least one bucket; oldest first. Empty for a forward run. */
export function listTakenBack(run: Began, all: readonly Placed[]): readonly string[] {
  const earlier = all.filter(({ order, state }) => order < run.order && state !== "gone");
  const back = run.changes.filter(({ direction }) => direction === "rollback");
  const taken = new Set(
    back.flatMap(({ pattern }) =>
      [...walkRollbacks(pattern, [...earlier, run])].flatMap(([id, by]) => (by === run ? [id] : [])),
    ),
  );
  return earlier.toSorted((a, b) => a.order - b.order).flatMap(({ id }) => (taken.has(id) ? [id] : []));
}

/** The rollback's run that took back the last bucket that this run moved forward; undefined while one of them still stands. */
export function findRollbackOf(run: Began, all: readonly Placed[]): string | undefined {
  const present = all.filter(({ state }) => state !== "gone");
  const moved = run.changes.filter(({ direction }) => direction === "forward");
  const backs = moved.map(({ pattern }) => walkRollbacks(pattern, present).get(run.id));
  if (backs.includes(undefined)) return undefined;
  return backs.toSorted((a, b) => (a?.order ?? 0) - (b?.order ?? 0)).at(-1)?.id;
}
