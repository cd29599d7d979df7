import { type Care, planCare, type ProgressMemory, type Standings, type WorkloadStanding } from "#libs/plan";
import type { Logger } from "#libs/runtime";

import { isOtherCluster } from "./is-other-cluster.ts";
import { lookAround, type Lookout, type Surroundings } from "./look-around.ts";
import type { Refusals } from "./refusals.ts";
import { sendWrite } from "./send-write.ts";
import { tellAgain } from "./telling/tell-again.ts";
import { describeStuckUndo, listStuckUndoes } from "./stuck-undo.ts";
import type { Teller } from "./tell.ts";
import type { Troubles } from "./troubles.ts";

/** A check that is older is repeated before the next patch, real ms (rules 12.1): a slow API server makes a list of writes long. */
const checkLimitMs = 5_000;

export interface Watchman {
  readonly surroundings: Surroundings;
  readonly tell: Teller;
  readonly log: Logger;
  /** What the API server refused, and what it will not mend by itself, for people. */
  readonly troubles: Troubles;
  /** When each moving workload last made progress, as far as this process saw. */
  readonly progress: ProgressMemory;
  /** What it refused of late, so that it is not asked at every look. */
  readonly refusals: Refusals;
  /** What rolled at the last look, to tell arrivals once. */
  readonly rolled: Map<string, WorkloadStanding>;
  /** What an earlier process may have written without telling is told. */
  hasToldAgain: boolean;
}

async function carryOut(watchman: Watchman, care: Care): Promise<void> {
  const { surroundings, log, tell } = watchman;
  const { workload, key } = care.standing;
  const outcome = await sendWrite(surroundings.cluster, workload, care.write);
  if (outcome.kind === "refused") {
    const undone = care.reverts ? "put back" : "written";
    watchman.troubles.put(key, `${key} cannot be ${undone}: the API server says ${outcome.why}`);
    watchman.refusals.note(key, surroundings.clock.monotonic());
  } else {
    watchman.troubles.clear(key);
    watchman.refusals.clear(key);
  }
  if (outcome.kind !== "written") {
    log.info({ workload: key, care: care.kind, outcome }, "not written: the next look decides anew");
    return;
  }
  if (care.write.object === "workload") surroundings.pending.add(workload, outcome.resourceVersion);
  log.info({ workload: key, care: care.kind, reason: care.reason }, "looked after");
  if (care.kind === "fail") {
    const stuck = care.reverts ? describeStuckUndo(care.standing, "moved") : undefined;
    const reason = stuck === undefined ? care.reason : `${care.reason}; ${stuck}`;
    tell("workloadFailed", care.standing, care.run, { reason, reverted: care.reverts });
  }
  if (care.kind === "takeBack")
    tell("workloadTakenBack", care.standing, care.run, { reason: care.reason, reverted: true });
}

/** Tells of workloads that rolled at the last look and have arrived since. */
function tellArrivals({ rolled, tell }: Watchman, judged: Standings): void {
  for (const [key, before] of rolled) {
    const now = judged.find(key);
    if (now?.standing.kind === "there" && before.standing.kind === "moving" && now.run !== undefined) {
      tell("workloadArrived", now, now.run.id);
    }
  }
  rolled.clear();
  for (const each of judged.list("rolling")) rolled.set(each.key, each);
}

/** Names what stays broken though it was put back; forgets what is gone. */
function nameTroubles({ troubles, refusals }: Watchman, judged: Standings): void {
  const stuck = listStuckUndoes(judged.list("putBack"));
  for (const [about, text] of stuck) troubles.put(about, text);
  refusals.retain((about) => judged.find(about) !== undefined);
  troubles.retainWorkloads((about) => stuck.has(about) || judged.find(about) !== undefined);
}

/** Once, as soon as the API server has said what time it is. */
function tellAgainOnce(watchman: Watchman, { world, ledger, judged }: Lookout): void {
  const { serverNow } = world.cluster;
  if (watchman.hasToldAgain || ledger === undefined || serverNow === undefined) return;
  watchman.hasToldAgain = true;
  tellAgain(watchman.tell, judged, { serverNow, now: watchman.surroundings.clock.now(), runs: ledger.runs });
}

/**
 * One look at everything that moves in the cluster, with or without a job: what failed is marked and undone, what head
 * does not demand is taken back, what arrived is told (rules 4.2, 4.4, 4.6).
 */
export async function watchOver(watchman: Watchman, signal: AbortSignal): Promise<void> {
  const seen = await lookAround(watchman.surroundings);
  const { world, spec, ledger, judged } = seen;
  tellArrivals(watchman, judged);
  const isForeign = world.claim !== "own" || isOtherCluster(world.cluster.facts, ledger);
  if (spec === undefined || !world.cluster.fresh || isForeign) return;
  nameTroubles(watchman, judged);
  tellAgainOnce(watchman, seen);
  const { clock } = watchman.surroundings;
  const times = { now: clock.now(), elapsed: clock.elapsed(), monotonic: clock.monotonic() };
  const cares = planCare({ world, settings: spec.settings, ...times }, watchman.progress);
  for (const care of cares) {
    // Asked to end: the next executor decides on the rest. Too long ago: the next look does (rules 4.3).
    if (signal.aborted || clock.monotonic() - times.monotonic > checkLimitMs) return;
    const isDue = watchman.refusals.isDue(care.standing.key, clock.monotonic());
    if (isDue && !watchman.surroundings.pending.has(care.standing.workload)) await carryOut(watchman, care);
  }
}
