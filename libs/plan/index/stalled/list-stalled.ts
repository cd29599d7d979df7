import type { Settings } from "#libs/campaign";
import { countSteps, findAge, findProgressAt, findRestAt, isUnobserved } from "#libs/fleet";

import { chooseReadinessTimeout, countTolerated, type JudgedWorkload } from "../../workloads/index.ts";
import type { RunRecord } from "../../records/index.ts";
import type { JudgedWorkloads } from "../cluster-index.ts";
import { runClasses } from "../index-keys.ts";
import { chooseStallTimeout } from "./stall-timeout.ts";

/** The objects of one cluster and its API server's time, which decide whether a workload gives up its place. */
export interface PlaceQuestion {
  readonly judged: JudgedWorkloads;
  /** Epoch ms by the clock of the cluster's API server; undefined = unknown, then no workload gives up its place. */
  readonly serverNow: number | undefined;
  /** The settings of a run; undefined where no file has them. */
  readonly settingsFor: (run: RunRecord | undefined) => Settings | undefined;
}

/** At most this many complete moves are read for the duration of a step. */
const mostMigrated = 100;

/** The least number of steps of a rollout with enough pods: a quarter of them at once (`maxSurge` 25 %). */
const usualSteps = 4;

/** How long one step of a complete move took, ms; undefined where the objects do not say it. */
function readStep({ workload }: JudgedWorkload): number | undefined {
  const restAt = findRestAt(workload);
  const { written } = workload.times ?? {};
  if (restAt === undefined || written === undefined || workload.replicas === 0) return undefined;
  return (restAt - written) / Math.min(workload.replicas, usualSteps);
}

/** The time limit for one step of its move, ms. */
function findTimeout(each: JudgedWorkload, { settingsFor }: PlaceQuestion): number | undefined {
  const settings = settingsFor(each.run);
  if (settings === undefined) return undefined;
  const { batch, rollbackBatch } = settings;
  return chooseReadinessTimeout(each, (each.rollbackSince === undefined ? batch : rollbackBatch).readinessTimeout);
}

/** How long it keeps its place without progress, ms; undefined where no file has its settings. */
function findStallTimeout(each: JudgedWorkload, question: PlaceQuestion): number | undefined {
  const { judged } = question;
  const timeout = findTimeout(each, question);
  const steps = each.run === undefined ? [] : judged.collect({ run: each.run.id, is: "moved" }, mostMigrated, readStep);
  const known = steps.filter((step) => step !== undefined);
  return timeout === undefined ? undefined : chooseStallTimeout(timeout, known);
}

/** How long ago it gave up its place, ms; undefined while it keeps it. `keeps`: how long it keeps it without progress, ms. */
function findStalled(
  each: JudgedWorkload,
  { serverNow }: Pick<PlaceQuestion, "serverNow">,
  keeps: number | undefined,
): number | undefined {
  const at = findProgressAt(each.workload);
  if (keeps === undefined || at === undefined || serverNow === undefined) return undefined;
  // Its status is about an older spec, so nothing is known about progress.
  if (isUnobserved(each.workload)) return undefined;
  const quiet = findAge(at, serverNow) - keeps;
  // Pods that come and go change the status without progress, so all steps together have a limit too.
  const begun = findAge(each.workload.times?.written ?? serverNow, serverNow);
  const since = Math.max(quiet, begun - (countSteps(each.workload) + 1) * keeps);
  return since < 0 ? undefined : since;
}

/** How many more failures the run may have in this cluster; each stalled workload may become one. */
function countLeftFailures(run: RunRecord, { judged, settingsFor }: PlaceQuestion): number {
  const settings = settingsFor(run);
  if (settings === undefined) return 0;
  const total = runClasses.reduce((sum, name) => sum + judged.count({ run: run.id, is: name }), 0);
  return countTolerated(settings.batch, total) - judged.count({ run: run.id, is: "failed" });
}

/**
 * False for a workload that is rolling to a revision that main no longer wants: it is patched next, so the batch waits for it.
 */
function mayStall({ state, run }: JudgedWorkload): boolean {
  return run === undefined ? state.kind === "skipped" || state.kind === "unmanaged" : state.kind !== "pending";
}

/** Whether its failure would count against the run's limit; that of a rollback or an undo does not. */
function mayEndRun({ state, rollbackSince }: JudgedWorkload): boolean {
  return rollbackSince === undefined && (state.kind !== "skipped" || state.failureAnnotation === undefined);
}

/** Takes one of the failures that the run may still have; false when none is left. */
function takeFailure(run: RunRecord, question: PlaceQuestion, left: Map<string, number>): boolean {
  const places = left.get(run.id) ?? countLeftFailures(run, question);
  left.set(run.id, places - 1);
  return places >= 1;
}

/** A group of VMs takes no place from its move on: its VMs have a budget of their own, and their turns may take weeks. */
function findGroupAge({ workload }: JudgedWorkload, { serverNow = 0 }: PlaceQuestion): number {
  return findAge(workload.times?.written ?? 0, serverNow);
}

/** How long ago a workload gave up its place, ms; `left`: failures that each run may still have. */
function findAgo(each: JudgedWorkload, question: PlaceQuestion, left: Map<string, number>): number | undefined {
  const since = mayStall(each) ? findStalled(each, question, findStallTimeout(each, question)) : undefined;
  if (since === undefined || each.run === undefined || !mayEndRun(each)) return since;
  if (takeFailure(each.run, question, left)) return since;
  return each.state.kind === "migrating" ? undefined : findStalled(each, question, findTimeout(each, question));
}

/**
 * The rolling workloads that have given up their place in the batch, and how long ago, ms, by `namespace/Kind/name`: without
 * progress for their stall timeout, in a run that would continue if they failed (rules 4.7). They are still watched, and
 * `maxUnavailable` counts them. A workload whose move ended after our write keeps its place for `readinessTimeout`, as does one
 * whose failure would end the run.
 */
export function listStalled(question: PlaceQuestion): ReadonlyMap<string, number> {
  const stalled = new Map<string, number>();
  const left = new Map<string, number>();
  for (const each of question.judged.list("rolling")) {
    if (each.workload.vms !== undefined) stalled.set(each.key, findGroupAge(each, question));
    // Without the API server's time no other workload gives its place up.
    else if (question.serverNow !== undefined) {
      const ago = findAgo(each, question, left);
      if (ago !== undefined) stalled.set(each.key, ago);
    }
  }
  return stalled;
}

/** Main now wants another revision, and a run will move it forward there. */
function isRedirected({ state, rollbackSince, run }: JudgedWorkload): boolean {
  return state.kind === "pending" && rollbackSince === undefined && run !== undefined;
}

/** Known to have made progress within its stall timeout. */
function hasProgress(each: JudgedWorkload, question: PlaceQuestion): boolean {
  const isKnown = findProgressAt(each.workload) !== undefined && question.serverNow !== undefined;
  const timeout = findStallTimeout(each, question);
  return isKnown && timeout !== undefined && findStalled(each, question, timeout) === undefined;
}

/**
 * The rolling workloads that take no place in a rollback's batch: stalled ones, ones stuck on the move that is undone, and ones
 * that main now wants elsewhere and that make no progress. The run of the last may be stopped and never patch them, and a
 * rollback waits for no stop (rules 2.3, 4.2).
 */
export function listPlaceless(question: PlaceQuestion): ReadonlySet<string> {
  const placeless = new Set(listStalled(question).keys());
  for (const each of question.judged.list("rolling")) {
    if (each.state.kind !== "pending") continue;
    if (!isRedirected(each) || !hasProgress(each, question)) placeless.add(each.key);
  }
  return placeless;
}
