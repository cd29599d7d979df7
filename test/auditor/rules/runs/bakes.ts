import type { AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { answerOf } from "../../reading/files/assignment.ts";
import { isSkipped } from "../../reading/files/settings.ts";
import { headsAt, leastAsked, settingsAt } from "../../reading/main/heads.ts";
import { ledgerOf, listMoves, type Move } from "../../reading/writes/moves.ts";
import { readRunAnnotation } from "../../reading/writes/replay.ts";
import { makeRule } from "../rule.ts";

/** Moves forward of a run, for all its workloads. */
function listForward(evidence: Evidence, { id }: AuditedRun): readonly Move[] {
  return listMoves(evidence).filter(({ runId, way, isWorkload }) => isWorkload && way === "forward" && runId === id);
}

/** True when the workload lacked pods just before the move. */
function wasShort({ cluster, path, write }: Move): boolean {
  const before = cluster.statuses.findLast((each) => each.path === path && each.version < write.version);
  return before?.available === false;
}

/** The same by our annotation: such a workload has arrived when its pods run the target, ready or not. */
function wasUnhealthy(move: Move): boolean {
  return wasShort(move) && readRunAnnotation(move.write)?.wasUnhealthy === true;
}

/**
 * What a run had moved forward by its end and did not skip, in clusters that main does not exclude by then. Later moves are
 * left out, because the run could not wait for them; `demanded` and `doneMeansMigrated` judge those.
 */
function listWaitedFor(evidence: Evidence, run: AuditedRun, end: number): readonly Move[] {
  const named = new Set(run.skipped);
  const heads = headsAt(evidence, end);
  // A workload that main wanted elsewhere by then is left to another run.
  const isAsked = ({ namespace, target }: Move): boolean =>
    heads.every(({ rollouts, settings }) => answerOf(rollouts, settings, namespace) === target);
  const isLeft = ({ cluster }: Move): boolean => heads.every((head) => isSkipped(head, cluster.name));
  return listForward(evidence, run)
    .filter((move) => !named.has(move.key) && move.at <= end + (evidence.graceMs ?? 0) && isAsked(move))
    .filter((move) => !wasUnhealthy(move) && !isLeft(move));
}

/** When the last of them settled; undefined where none did. */
function findLastRest(moves: readonly Move[]): number | undefined {
  const rests = moves.flatMap(({ cluster, path, write }) => {
    const rest = cluster.statuses.find((each) => each.path === path && each.version >= write.version && each.settled);
    return rest === undefined ? [] : [rest.at];
  });
  return rests.length === 0 ? undefined : Math.max(...rests);
}

/** A run ends no sooner than its bake after the last of its workloads settled; one that converges to main has none. */
export const bakeIsKept = makeRule("bakeIsKept", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) {
    const end = run.endedAtLatest ?? run.endedAt;
    if (run.convergesTo !== undefined) continue;
    if (run.state !== "done" || run.takenOverBy !== undefined || end === undefined) continue;
    const moves = listWaitedFor(evidence, run, end);
    const rest = findLastRest(moves);
    if (rest === undefined) continue;
    found.judge();
    const bakeMs = leastAsked(settingsAt(evidence, end, run), (each) => each.bakeMs);
    const since = end - rest;
    if (since >= bakeMs) continue;
    const what = `done ${since} ms after its last workload came to rest, its bake is ${bakeMs} ms`;
    found.refuse("", `run ${run.id}`, what);
  }
});
