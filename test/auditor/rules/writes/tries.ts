import type { AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { digPart } from "../../reading/files/dig.ts";
import { ledgerOf, listMoves, type Move } from "../../reading/writes/moves.ts";
import { wasAskedElsewhere } from "../../reading/main/past.ts";
import { readTarget } from "../../reading/writes/replay.ts";
import { listAsked } from "../runs/demanded.ts";
import { makeRule } from "../rule.ts";

/** How many more tries a person's `retry` allowed the run on this workload. */
function countForgiven(evidence: Evidence, { runId, key }: Move): number {
  const retried = ledgerOf(evidence).runs.find(({ id }) => id === runId)?.retried ?? {};
  return Math.max(0, retried[key] ?? 0, retried[key.replace(/\/.*/u, "/*")] ?? 0);
}

/** True when the run names the workload or its namespace. */
export function isNamed({ retried }: AuditedRun, { key }: Pick<Move, "key">): boolean {
  return Object.hasOwn(retried, key) || Object.hasOwn(retried, key.replace(/\/.*/u, "/*"));
}

const failedKey = "meshroll.dev/failed";

/**
 * An undo without a failure annotation, of a revision that main does not want any more: main asked for it, it is not a
 * failure's.
 */
function isOverwritten(evidence: Evidence, move: Move): boolean {
  if (typeof digPart(move.write.body, "metadata", "annotations")[failedKey] === "string") return false;
  const undone = readTarget({ ...move, before: move.after, after: move.before });
  return move.way === "undo" && listAsked(evidence, move).some((revision) => revision !== undone);
}

/** A template by the fields that make it a new one. A try that no retry allowed counts as the first one again. */
function nameTemplate(evidence: Evidence, move: Move): string {
  const attempt = move.attempt - 1 <= countForgiven(evidence, move) ? move.attempt : 1;
  return `${move.target ?? ""} ${move.after.label} ${move.after.restartedFor} ${attempt}`;
}

/**
 * The earlier try was part of a rollback at once that was resumed before this run was on record: main's answer applied again.
 */
function wasResumed(evidence: Evidence, last: Move, { runId }: Move): boolean {
  const { stops, runs } = ledgerOf(evidence);
  const { startedAt = 0 } = runs.find(({ id }) => id === runId) ?? {};
  return stops.some(({ scope, now, resumedAt = Number.POSITIVE_INFINITY }) => {
    return scope === `run/${last.runId}` && now === true && resumedAt < startedAt;
  });
}

/**
 * An earlier run's try does not forbid a rollback's, once main wanted the namespace elsewhere in between (rules 2.3), also
 * where nothing moved then because an undo had already put the workload there. A rollback that main confirms after it was in
 * force at once asks for nothing new: what its owner put back meanwhile stays (rules 5.5).
 */
function isFree(evidence: Evidence, last: Move, move: Move): boolean {
  const { namespace, target = "", at } = move;
  // A person asked for it again, and named it.
  if (last.runId !== move.runId && move.run?.convergesTo !== undefined) return isNamed(move.run, move);
  if (move.way !== "rollback" || last.runId === move.runId) return false;
  return wasAskedElsewhere(evidence, namespace, target, { from: last.at, to: at }) || wasResumed(evidence, last, move);
}

/** A move forward to the revision that its failure annotation names, without a retry of this run. */
function isMarked(evidence: Evidence, move: Move): boolean {
  const [revision] = (move.was.annotations[failedKey] ?? "").split(" ");
  return move.way === "forward" && revision === move.target && countForgiven(evidence, move) === 0;
}

/** A move and the template that it made. */
interface Try {
  readonly template: string;
  readonly move: Move;
}

/**
 * At most one template per (workload, target, retry): a workload is restarted once for a revision, unless main wanted another
 * in between; and never moved forward to where it failed, unless a person requested a retry.
 */
export const restartedOnce = makeRule("restartedOnce", (evidence, found) => {
  const tries = new Map<string, readonly Try[]>();
  for (const move of listMoves(evidence)) {
    if (!move.isWorkload) continue;
    found.judge();
    const identity = `${move.cluster.name} ${move.identity}`;
    if (move.runId === "") {
      if (isOverwritten(evidence, move)) tries.delete(identity);
      continue;
    }
    const template = nameTemplate(evidence, move);
    // Only tries of the same target count: after a move there and back, a third move repeats neither.
    const kept = (tries.get(identity) ?? []).filter((each) => each.move.target === move.target);
    const bound = kept.filter((each) => !isFree(evidence, each.move, move));
    tries.set(identity, [...bound, { template, move }]);
    const count = bound.filter((each) => each.template === template).length + 1;
    const to = move.target ?? "nothing";
    if (count > 1) found.refuse(move.cluster.name, move.path, `restarted ${count} times for ${to}`);
    else if (isMarked(evidence, move))
      found.refuse(
        move.cluster.name,
        move.path,
        `moved to ${to}, where its mark says that it failed; no retry was asked`,
      );
  }
});
