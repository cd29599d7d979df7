import {
  addCause,
  type HeldUndo,
  lacksCause,
  type Remediation,
  planRemediation,
  type ProgressMemory,
  type JudgedWorkloads,
  type JudgedWorkload,
  isOtherCluster,
} from "#libs/plan";
import { doEach, type Logger } from "#libs/runtime";
import { printNotPutBack, printObstacle, renderRemediation, type WorkloadReason } from "#libs/wording";

import { type KnownCauses, readCauses } from "./read-causes.ts";
import { takeSnapshot, type JudgedSnapshot, type Surroundings } from "./take-snapshot.ts";
import type { Refusals } from "../writes/refusals.ts";
import { sendWrite } from "../writes/send-write.ts";
import { reportAgain } from "../messages/report-again.ts";
import { describeStuckUndo, listStuckUndoes } from "./stuck-undo.ts";
import { reportSkips } from "./report-skips.ts";
import type { Report } from "../messages/report-to-bus.ts";
import type { Troubles } from "../messages/troubles.ts";

/**
 * A snapshot is too old for the next patch after this time, real ms (rules 12.1): a slow API server makes a list of writes take
 * long.
 */
const checkLimitMs = 5_000;

export interface Remediator {
  readonly surroundings: Surroundings;
  readonly report: Report;
  readonly log: Logger;
  /** Problems of the cluster: refused writes, and failures that need a person. */
  readonly troubles: Troubles;
  /** When each moving workload last made progress, as this process saw it. */
  progress: ProgressMemory;
  /** What pods of failures said that are not recorded yet. */
  causes: KnownCauses;
  /** Writes that were refused lately; they are not repeated at every reconcile. */
  readonly refusals: Refusals;
  /** What rolled at the last reconcile: an arrival is reported once. */
  readonly rolled: Map<string, JudgedWorkload>;
  /** What an earlier process may have written without reporting it has been reported. */
  hasReportedAgain: boolean;
  /** Reports why a run leaves a workload alone. */
  readonly reportSkipped: (each: JudgedWorkload, run: string, reason: WorkloadReason) => void;
  /** The skips that were reported so far. */
  reportedSkips: ReadonlySet<string>;
  /** The problems that name undos that wait because their revision is not served. */
  held: ReadonlySet<string>;
}

/** What a person has to know or do besides the cause of the failure. */
function describeAftermath({ obstacle, reverts, judged }: Remediation): string | undefined {
  if (obstacle !== undefined) return `not put back: ${printObstacle(obstacle)}`;
  return reverts ? describeStuckUndo(judged, "moved") : undefined;
}

async function carryOut(remediator: Remediator, remediation: Remediation): Promise<void> {
  const { surroundings, log, report } = remediator;
  const { workload, key } = remediation.judged;
  const outcome = await sendWrite(surroundings.cluster, workload, remediation.write);
  if (outcome.kind === "refused") {
    const undone = remediation.reverts ? "put back" : "written";
    remediator.troubles.put(key, `${key} cannot be ${undone}: the API server says ${outcome.why}`);
    remediator.refusals.note(key, surroundings.clock.monotonic());
  } else {
    remediator.troubles.clear(key);
    remediator.refusals.clear(key);
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
    report("workloadFailed", remediation.judged, remediation.run, { code, reason, reverted: remediation.reverts });
  }
  if (remediation.kind === "revert")
    report("workloadReverted", remediation.judged, remediation.run, { reason: message, reverted: true });
}

/** Reports workloads that rolled at the last reconcile and have arrived since. */
function reportArrivals({ rolled, report }: Remediator, judged: JudgedWorkloads): void {
  for (const [key, before] of rolled) {
    const now = judged.find(key);
    if (now?.state.kind === "migrated" && before.state.kind === "migrating" && now.run !== undefined) {
      report("workloadMigrated", now, now.run.id);
    }
  }
  rolled.clear();
  for (const each of judged.list("rolling")) rolled.set(each.key, each);
}

/** Puts a problem for each undo that is stuck, and forgets refusals and problems of workloads that are gone. */
function reportTroubles({ troubles, refusals }: Remediator, { judged, snapshot }: JudgedSnapshot): void {
  const stuck = listStuckUndoes(judged.list("putBack"), snapshot.cluster);
  for (const [about, text] of stuck) troubles.put(about, text);
  refusals.retain((about) => judged.find(about) !== undefined);
  troubles.retainWorkloads((about) => stuck.has(about) || judged.find(about) !== undefined);
}

/** Puts one problem for each revision that is not served, naming the undos that wait for it. */
function reportHeldUndos(remediator: Remediator, held: readonly HeldUndo[]): void {
  const byRevision = Map.groupBy(held, ({ obstacle }) => `way back to ${obstacle.revision}`);
  for (const about of remediator.held) if (!byRevision.has(about)) remediator.troubles.clear(about);
  for (const [about, all] of byRevision) {
    const [first] = all;
    const keys = [...new Set(all.map(({ key }) => key))];
    if (first !== undefined) remediator.troubles.put(about, printNotPutBack(first.obstacle, keys));
  }
  remediator.held = new Set(byRevision.keys());
}

/** Once, as soon as the API server's time and a ledger are known. */
function reportAgainOnce(remediator: Remediator, { snapshot, ledger, judged }: JudgedSnapshot): void {
  const { serverNow } = snapshot.cluster;
  if (remediator.hasReportedAgain || ledger === undefined || serverNow === undefined) return;
  remediator.hasReportedAgain = true;
  reportAgain(remediator.report, judged, { serverNow, now: remediator.surroundings.clock.now(), runs: ledger.runs });
}

/**
 * Reconciles everything that moves in the cluster, with or without a job: failures are annotated and undone, patches that main
 * does not demand are reverted, arrivals are reported (rules 4.2, 4.4, 4.6).
 */
export async function remediateOnce(remediator: Remediator, signal: AbortSignal): Promise<void> {
  const seen = await takeSnapshot(remediator.surroundings);
  const { snapshot, spec, ledger, judged } = seen;
  reportArrivals(remediator, judged);
  const isForeign = snapshot.claim !== "own" || isOtherCluster(snapshot.cluster.facts, ledger);
  if (spec === undefined || !snapshot.cluster.fresh || isForeign) return;
  reportTroubles(remediator, seen);
  reportAgainOnce(remediator, seen);
  remediator.reportedSkips = reportSkips(seen, remediator.reportedSkips, remediator.reportSkipped);
  const { clock } = remediator.surroundings;
  const times = { now: clock.now(), elapsed: clock.elapsed(), monotonic: clock.monotonic() };
  const input = { snapshot, settings: spec.settings, ...times };
  const { remediations, held, progress } = planRemediation(input, remediator.progress);
  remediator.progress = progress;
  reportHeldUndos(remediator, held);
  // At the end of the process the next executor decides on the rest; with an old snapshot the next reconcile does (rules
  // 4.3).
  const isOver = () => signal.aborted || clock.monotonic() - times.monotonic > checkLimitMs;
  const isDue = ({ judged: { key, workload } }: Remediation) =>
    remediator.refusals.isDue(key, clock.monotonic()) && !remediator.surroundings.pending.has(workload);
  const failed = remediations.filter((each) => isDue(each) && lacksCause(each)).map((each) => each.judged.workload);
  const reading = { cluster: remediator.surroundings.cluster, clock, log: remediator.log };
  const causes = await readCauses(reading, failed, remediator.causes);
  remediator.causes = causes;
  const remedy = async (planned: Remediation): Promise<void> => {
    if (isOver() || !isDue(planned)) return;
    const cause = causes.get(planned.judged.key);
    await carryOut(remediator, cause !== undefined && lacksCause(planned) ? addCause(planned, cause) : planned);
  };
  await doEach(remediations, remedy, {
    onFault: ({ judged: { key } }, error) => {
      remediator.log.error({ error, workload: key }, "could not remediate a workload: it is tried again");
      remediator.refusals.note(key, clock.monotonic());
    },
  });
}
