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

function findShare(each: JudgedWorkload, { judged }: PlaceQuestion, settings: Settings): number {
  const { batch, rollbackBatch } = settings;
  const { readinessTimeout } = each.rollbackSince === undefined ? batch : rollbackBatch;
  const steps = each.run === undefined ? [] : judged.collect({ run: each.run.id, is: "moved" }, mostMigrated, readStep);
  return chooseShare(
    chooseReadinessTimeout(each, readinessTimeout),
    steps.filter((step) => step !== undefined),
  );
}

/** How long ago it gave its place up, ms; undefined while it keeps it. */
function findStalled(each: JudgedWorkload, question: PlaceQuestion): number | undefined {
  const settings = question.settingsFor(each.run);
  const at = findProgressAt(each.workload);
  if (settings === undefined || at === undefined || question.serverNow === undefined) return undefined;
  // Its pods may roll all at once when its controller looks again.
  if (isUnobserved(each.workload)) return undefined;
  const share = findShare(each, question, settings);
  const quiet = findAge(at, question.serverNow) - share;
  // Pods that come and go change the status without progress: all steps together take no longer than this.
  const begun = findAge(each.workload.times?.written ?? question.serverNow, question.serverNow);
  const since = Math.max(quiet, begun - (countSteps(each.workload) + 1) * share);
  return since < 0 ? undefined : since;
}

/** How many of a run may still fail in this cluster without an end of it: what is stalled may be one of them. */
function countLeftFailures(run: RunRecord, { judged, settingsFor }: PlaceQuestion): number {
  const settings = settingsFor(run);
  if (settings === undefined) return 0;
  const total = runClasses.reduce((sum, name) => sum + judged.count({ run: run.id, is: name }), 0);
  return countTolerated(settings.batch, total) - judged.count({ run: run.id, is: "failed" });
}

/** What moves for a run, or is put back after it failed. What rolls towards what main wants no more is written next, and waited for. */
function mayStall({ state, run }: JudgedWorkload): boolean {
  return run !== undefined && (state.kind === "migrating" || state.kind === "skipped");
}

/** Its failure may end its run; what is rolled back, and an undo, ends none. */
function mayEndRun({ state, rollbackSince }: JudgedWorkload): boolean {
  return state.kind === "migrating" && rollbackSince === undefined;
}

/**
 * Who of those that roll has given its place of the batch up, and how long ago, ms, by `namespace/Kind/name`: it made no progress
 * for its share of time, and its run would go on though it failed (rules 4.7). It is watched as before, and `maxUnavailable`
 * counts it.
 */
export function listStalled(question: PlaceQuestion): ReadonlyMap<string, number> {
  const stalled = new Map<string, number>();
  const left = new Map<string, number>();
  for (const each of question.judged.list("rolling")) {
    const since = mayStall(each) ? findStalled(each, question) : undefined;
    if (since === undefined) continue;
    if (each.run !== undefined && mayEndRun(each)) {
      const places = left.get(each.run.id) ?? countLeftFailures(each.run, question);
      left.set(each.run.id, places - 1);
      if (places < 1) continue;
    }
    stalled.set(each.key, since);
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
  return isKnown && question.settingsFor(each.run) !== undefined && findStalled(each, question) === undefined;
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
