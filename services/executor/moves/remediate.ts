import {
  type HeldUndo,
  type Remediation,
  planRemediation,
  type ProgressMemory,
  type JudgedWorkloads,
  type JudgedWorkload,
  isOtherCluster,
} from "#libs/plan";
import { doEach, type Logger } from "#libs/runtime";
import { printNotPutBack, printObstacle, renderRemediation } from "#libs/wording";

import { takeSnapshot, type Lookout, type Surroundings } from "./take-snapshot.ts";
import type { Refusals } from "../writes/refusals.ts";
import { sendWrite } from "../writes/send-write.ts";
import { tellAgain } from "../messages/tell-again.ts";
import { describeStuckUndo, listStuckUndoes } from "./stuck-undo.ts";
import { type Skipped, tellSkips } from "./tell-skips.ts";
import type { Teller } from "../messages/tell.ts";
import type { Troubles } from "../messages/troubles.ts";

/** A check that is older is repeated before the next patch, real ms (rules 12.1): a slow API server makes a list of writes long. */
const checkLimitMs = 5_000;

export interface Watcher {
  readonly surroundings: Surroundings;
  readonly tell: Teller;
  readonly log: Logger;
  /** What the API server refused, and what it will not fix by itself, for people. */
  readonly troubles: Troubles;
  /** When each moving workload last made progress, as far as this process saw. */
  progress: ProgressMemory;
  /** What it refused of late, so that it is not asked at every reconcile. */
  readonly refusals: Refusals;
  /** What rolled at the last reconcile, to tell arrivals once. */
  readonly rolled: Map<string, JudgedWorkload>;
  /** What an earlier process may have written without a message is reported. */
  hasToldAgain: boolean;
  /** Tells why a run leaves a workload alone. */
  readonly tellSkipped: (each: JudgedWorkload, run: string, reason: Skipped["reason"]) => void;
  /** What was told of that so far. */
  skipsTold: ReadonlySet<string>;
  /** Which troubles name what is not put back. */
  held: ReadonlySet<string>;
}

/** What a person has to know of a failure besides its cause. */
function describeAftermath({ obstacle, reverts, state }: Remediation): string | undefined {
  if (obstacle !== undefined) return `not put back: ${printObstacle(obstacle)}`;
  return reverts ? describeStuckUndo(state, "moved") : undefined;
}

async function carryOut(watcher: Watcher, remediation: Remediation): Promise<void> {
  const { surroundings, log, tell } = watcher;
  const { workload, key } = remediation.state;
  const outcome = await sendWrite(surroundings.cluster, workload, remediation.write);
  if (outcome.kind === "refused") {
    const undone = remediation.reverts ? "put back" : "written";
    watcher.troubles.put(key, `${key} cannot be ${undone}: the API server says ${outcome.why}`);
    watcher.refusals.note(key, surroundings.clock.monotonic());
  } else {
    watcher.troubles.clear(key);
    watcher.refusals.clear(key);
  }
  if (outcome.kind !== "written") {
    log.info(
      { workload: key, remediation: remediation.kind, outcome },
      "not written: the next reconcile decides again",
    );
    return;
  }
  if (remediation.kind === "recordArrival") surroundings.pending.addRecord(workload, outcome.resourceVersion);
  else if (remediation.write.object === "workload") {
    surroundings.pending.add(workload, outcome.resourceVersion);
    if (remediation.kind === "retry") surroundings.pace.note(key);
    else surroundings.pace.noteUndo(key);
  }
  const { code, message } = renderRemediation(remediation.reason);
  log.info({ workload: key, remediation: remediation.kind, code, reason: message }, "remediated");
  if (remediation.kind === "fail") {
    const more = describeAftermath(remediation);
    const reason = more === undefined ? message : `${message}; ${more}`;
    tell("workloadFailed", remediation.state, remediation.run, { code, reason, reverted: remediation.reverts });
  }
  if (remediation.kind === "revert")
    tell("workloadReverted", remediation.state, remediation.run, { reason: message, reverted: true });
}

/** Tells of workloads that rolled at the last reconcile and have arrived since. */
function tellMigrations({ rolled, tell }: Watcher, judged: JudgedWorkloads): void {
  for (const [key, before] of rolled) {
    const now = judged.find(key);
    if (now?.state.kind === "migrated" && before.state.kind === "migrating" && now.run !== undefined) {
      tell("workloadMigrated", now, now.run.id);
    }
  }
  rolled.clear();
  for (const each of judged.list("rolling")) rolled.set(each.key, each);
}

/** Names what stays broken though it was put back; forgets what is gone. */
function nameTroubles({ troubles, refusals }: Watcher, { judged, snapshot }: Lookout): void {
  const stuck = listStuckUndoes(judged.list("putBack"), snapshot.cluster);
  for (const [about, text] of stuck) troubles.put(about, text);
  refusals.retain((about) => judged.find(about) !== undefined);
  troubles.retainWorkloads((about) => stuck.has(about) || judged.find(about) !== undefined);
}

/** Names what is not put back for now: one trouble for each revision that is not served. */
function nameHeld(watcher: Watcher, held: readonly HeldUndo[]): void {
  const byRevision = Map.groupBy(held, ({ obstacle }) => `way back to ${obstacle.revision}`);
  for (const about of watcher.held) if (!byRevision.has(about)) watcher.troubles.clear(about);
  for (const [about, all] of byRevision) {
    const [first] = all;
    const keys = [...new Set(all.map(({ key }) => key))];
    if (first !== undefined) watcher.troubles.put(about, printNotPutBack(first.obstacle, keys));
  }
  watcher.held = new Set(byRevision.keys());
}

/** Once, as soon as the API server has said what time it is. */
function tellAgainOnce(watcher: Watcher, { snapshot, ledger, judged }: Lookout): void {
  const { serverNow } = snapshot.cluster;
  if (watcher.hasToldAgain || ledger === undefined || serverNow === undefined) return;
  watcher.hasToldAgain = true;
  tellAgain(watcher.tell, judged, { serverNow, now: watcher.surroundings.clock.now(), runs: ledger.runs });
}

/**
 * One look at everything that moves in the cluster, with or without a job: what failed is marked and undone, what head
 * does not demand is reverted, what arrived is told (rules 4.2, 4.4, 4.6).
 */
export async function watchOver(watcher: Watcher, signal: AbortSignal): Promise<void> {
  const seen = await takeSnapshot(watcher.surroundings);
  const { snapshot, spec, ledger, judged } = seen;
  tellMigrations(watcher, judged);
  const isForeign = snapshot.claim !== "own" || isOtherCluster(snapshot.cluster.facts, ledger);
  if (spec === undefined || !snapshot.cluster.fresh || isForeign) return;
  nameTroubles(watcher, seen);
  tellAgainOnce(watcher, seen);
  watcher.skipsTold = tellSkips(seen, watcher.skipsTold, watcher.tellSkipped);
  const { clock } = watcher.surroundings;
  const times = { now: clock.now(), elapsed: clock.elapsed(), monotonic: clock.monotonic() };
  const input = { snapshot, settings: spec.settings, ...times };
  const { remediations, held, progress } = planRemediation(input, watcher.progress);
  watcher.progress = progress;
  nameHeld(watcher, held);
  const remedy = async (remediation: Remediation): Promise<void> => {
    // Asked to end: the next executor decides on the rest. Too long ago: the next reconcile does (rules 4.3).
    if (signal.aborted || clock.monotonic() - times.monotonic > checkLimitMs) return;
    const isDue = watcher.refusals.isDue(remediation.state.key, clock.monotonic());
    if (isDue && !watcher.surroundings.pending.has(remediation.state.workload)) await carryOut(watcher, remediation);
  };
  await doEach(remediations, remedy, {
    onFault: ({ state: { key } }, error) => {
      watcher.log.error({ error, workload: key }, "could not look after a workload: it is tried again");
      watcher.refusals.note(key, clock.monotonic());
    },
  });
}
