import type { Settings } from "#libs/campaign";
import { countSteps, findAge, findProgressAt, findRestAt, isUnobserved } from "#libs/fleet";

import { chooseReadinessTimeout, countTolerated, type JudgedWorkload } from "../../workloads/index.ts";
import type { RunRecord } from "../../records/index.ts";
import type { JudgedWorkloads } from "../cluster-index.ts";
import { runClasses } from "../index-keys.ts";
import { chooseShare } from "./share.ts";

/** What decides who gives a place up: the objects of one cluster and its own clock. */
export interface PlaceQuestion {
  readonly judged: JudgedWorkloads;
  /** Epoch ms by the clock of the cluster's API server; undefined = unknown, and then none gives its place up. */
  readonly serverNow: number | undefined;
  /** What a run moves by; undefined where no file says it. */
  readonly settingsFor: (run: RunRecord | undefined) => Settings | undefined;
}

/** So many of those that arrived tell how long a step takes. */
const mostMigrated = 100;

/** A rollout replaces its pods in so many steps at least where it has as many: a quarter of them at once (`maxSurge` 25 %). */
const usualSteps = 4;

/** How long one step of a move took that arrived, ms; undefined where nothing tells it. */
function readStep({ workload }: JudgedWorkload): number | undefined {
  const restAt = findRestAt(workload);
  const { written } = workload.times ?? {};
  if (restAt === undefined || written === undefined || workload.replicas === 0) return undefined;
  return (restAt - written) / Math.min(workload.replicas, usualSteps);
}

/** As long as a step of its move may take, ms. */
function findTimeout(each: JudgedWorkload, { settingsFor }: PlaceQuestion): number | undefined {
  const settings = settingsFor(each.run);
  if (settings === undefined) return undefined;
  const { batch, rollbackBatch } = settings;
  return chooseReadinessTimeout(each, (each.rollbackSince === undefined ? batch : rollbackBatch).readinessTimeout);
}

function findShare(each: JudgedWorkload, question: PlaceQuestion): number | undefined {
  const { judged } = question;
  const timeout = findTimeout(each, question);
  const steps = each.run === undefined ? [] : judged.collect({ run: each.run.id, is: "moved" }, mostMigrated, readStep);
  const known = steps.filter((step) => step !== undefined);
  return timeout === undefined ? undefined : chooseShare(timeout, known);
}

/** How long ago it gave its place up, ms; undefined while it keeps it. `keeps`: how long it does so without progress, ms. */
function findStalled(
  each: JudgedWorkload,
  { serverNow }: Pick<PlaceQuestion, "serverNow">,
  keeps: number | undefined,
): number | undefined {
  const at = findProgressAt(each.workload);
  if (keeps === undefined || at === undefined || serverNow === undefined) return undefined;
  // Its pods may roll all at once when its controller looks again.
  if (isUnobserved(each.workload)) return undefined;
  const quiet = findAge(at, serverNow) - keeps;
  // Pods that come and go change the status without progress: all steps together take no longer than this.
  const begun = findAge(each.workload.times?.written ?? serverNow, serverNow);
  const since = Math.max(quiet, begun - (countSteps(each.workload) + 1) * keeps);
  return since < 0 ? undefined : since;
}

/** How many of a run may still fail in this cluster without an end of it: what is stalled may be one of them. */
function countLeftFailures(run: RunRecord, { judged, settingsFor }: PlaceQuestion): number {
  const settings = settingsFor(run);
  if (settings === undefined) return 0;
  const total = runClasses.reduce((sum, name) => sum + judged.count({ run: run.id, is: name }), 0);
  return countTolerated(settings.batch, total) - judged.count({ run: run.id, is: "failed" });
}

/** What rolls towards what main wants no more is written next, and waited for. */
function mayStall({ state, run }: JudgedWorkload): boolean {
  return run === undefined ? state.kind === "skipped" || state.kind === "unmanaged" : state.kind !== "pending";
}

/** Its failure may end its run, or would have before it was given up; what is rolled back, and an undo, ends none. */
function mayEndRun({ state, rollbackSince }: JudgedWorkload): boolean {
  return rollbackSince === undefined && (state.kind !== "skipped" || state.mark === undefined);
}

/** False when its failure would be one more than its run may have; it takes one of those that are left. */
function takeFailure(run: RunRecord, question: PlaceQuestion, left: Map<string, number>): boolean {
  const places = left.get(run.id) ?? countLeftFailures(run, question);
  left.set(run.id, places - 1);
  return places >= 1;
}

/** How long ago a workload gave its place up, ms; `left`: failures that each run may still have. */
function findAgo(each: JudgedWorkload, question: PlaceQuestion, left: Map<string, number>): number | undefined {
  const since = mayStall(each) ? findStalled(each, question, findShare(each, question)) : undefined;
  if (since === undefined || each.run === undefined || !mayEndRun(each)) return since;
  if (takeFailure(each.run, question, left)) return since;
  return each.state.kind === "migrating" ? undefined : findStalled(each, question, findTimeout(each, question));
}

/**
 * The rolling workloads that have given up their place of the batch, and how long ago, ms, by `namespace/Kind/name`: without progress
 * for their share of time, in a run that would go on though they failed (rules 4.7). They are watched as before, and `maxUnavailable`
 * counts them. One whose move ended after our write keeps its place for `readinessTimeout`, as a move that may not fail does.
 */
export function listStalled(question: PlaceQuestion): ReadonlyMap<string, number> {
  const stalled = new Map<string, number>();
  // Without the API server's time no workload gives its place up.
  if (question.serverNow === undefined) return stalled;
  const left = new Map<string, number>();
  for (const each of question.judged.list("rolling")) {
    const ago = findAgo(each, question, left);
    if (ago !== undefined) stalled.set(each.key, ago);
  }
  return stalled;
}

/** Main wants it elsewhere, and a run will write it forward: no rollback brings it back. */
function isRedirected({ state, rollbackSince, run }: JudgedWorkload): boolean {
  return state.kind === "pending" && rollbackSince === undefined && run !== undefined;
}

/** It is known to have made progress within its share of time. */
function hasProgress(each: JudgedWorkload, question: PlaceQuestion): boolean {
  const isKnown = findProgressAt(each.workload) !== undefined && question.serverNow !== undefined;
  const share = findShare(each, question);
  return isKnown && share !== undefined && findStalled(each, question, share) === undefined;
}

/**
 * Who of those that roll takes no place for a rollback: what stalled, what is stuck on the way that is undone, and what main wants
 * elsewhere meanwhile once it makes no progress. Its run may be stopped, and then it is never written; a rollback waits for no
 * stop (rules 2.3, 4.2).
 */
export function listPlaceless(question: PlaceQuestion): ReadonlySet<string> {
  const placeless = new Set(listStalled(question).keys());
  for (const each of question.judged.list("rolling")) {
    if (each.state.kind !== "pending") continue;
    if (!isRedirected(each) || !hasProgress(each, question)) placeless.add(each.key);
  }
  return placeless;
}
