import { findOwnWrite } from "#libs/injection";
import { lookUp } from "#libs/input";
import { nameRestartWay, nameSkippedWay, type RenderedWorkloadReason, renderWorkloadReason } from "#libs/wording";

import type { Evaluation, RunView } from "../../index/index.ts";
import { nameInFleet, type RunRecord, type SkippedWorkload, type Snapshot } from "../../records/index.ts";
import { type JudgedWorkload, type LeftBehind, listLeftBehind } from "../../workloads/index.ts";
import { mostListed } from "../status-runs.ts";

/** A workload that a run skipped without a failure, and that is not where main wants it. */
export interface SkippedItem extends RenderedWorkloadReason {
  /** `cluster:namespace/Kind/name`. */
  readonly workload: string;
  /** The revision that it did not reach. */
  readonly revision: string;
  /** The newest run that skipped it. */
  readonly run: string;
  readonly campaign?: string;
  /** ISO: when that run ended; absent while it is open. */
  readonly since?: string;
  /** The command for it. */
  readonly command: string;
}

/** Workloads that runs skipped, without failed ones, until they are where main wants them. */
export interface SkippedSummary {
  readonly count: number;
  /** Of `count`: an ended run skipped them; absent = none, or no run is open. */
  readonly earlier?: number;
  /** Of `count`: no run's workloads, affected only by the label of their namespace; absent = none. */
  readonly neighbours?: number;
  /** By name, over all clusters. */
  readonly namespaces: number;
  /** Counts by code, the most frequent first. */
  readonly codes: readonly { readonly code: string; readonly count: number }[];
  /** The first hundred, newest first. */
  readonly items: readonly SkippedItem[];
}

/** One of them, with its judgement. */
export interface Skipped {
  readonly code: string;
  readonly campaign: string | undefined;
  /** A large fleet skips thousands of workloads: only the items that are shown are rendered. */
  readonly render: () => SkippedItem;
  readonly judged: JudgedWorkload;
  /** The workload is not moved at all, only affected by its namespace's label; `judged` is a moved one of the namespace. */
  readonly isNeighbour?: true;
}

interface Cause {
  readonly code: string;
  readonly render: () => RenderedWorkloadReason;
}

/** Why it is skipped now, or once nothing prevents its move, why its run skipped it. */
function findCause({ state }: JudgedWorkload, ended: SkippedWorkload | undefined): Cause | undefined {
  if (state.kind === "skipped") {
    const { reason } = state;
    return { code: reason.code, render: () => renderWorkloadReason(reason) };
  }
  if (ended === undefined) return undefined;
  const { cluster: _, workload: __, failed: ___, ...reason } = ended;
  return { code: ended.code, render: () => reason };
}

function renderItem(run: RunRecord, judged: JudgedWorkload, cause: Cause, isOpen: boolean): SkippedItem {
  const { state, cluster, key, desired, workload } = judged;
  const name = nameInFleet(cluster, key);
  return {
    workload: name,
    ...cause.render(),
    revision: desired,
    run: run.id,
    ...(run.campaign === undefined ? {} : { campaign: run.campaign }),
    ...(isOpen || run.endedAt === undefined ? {} : { since: run.endedAt }),
    command: nameSkippedWay({
      ...(state.kind === "skipped" ? { code: state.reason.code } : {}),
      run: run.id,
      name,
      namespace: workload.namespace,
      isOpen,
    }),
  };
}

function describeOne(run: RunRecord, judged: JudgedWorkload, ended?: SkippedWorkload): readonly Skipped[] {
  const cause = findCause(judged, ended);
  if (cause === undefined) return [];
  const render = () => renderItem(run, judged, cause, ended === undefined);
  return [{ code: cause.code, campaign: run.campaign, render, judged }];
}

/** Skipped, but not by a failure. */
function isSkippedOnly({ state }: JudgedWorkload): boolean {
  return state.kind === "skipped" && state.failureAnnotation === undefined;
}

function readSkippedOnly(judged: JudgedWorkload): JudgedWorkload | undefined {
  return isSkippedOnly(judged) ? judged : undefined;
}

function listOfOpen({ views }: Evaluation): readonly Skipped[] {
  return views.toReversed().flatMap(({ run, clusters }) =>
    [...clusters.values()]
      // Collected, because a fleet may skip a constant share of its workloads: the walk over them is cached.
      .flatMap((share) => share.collect("skipped", Number.POSITIVE_INFINITY, readSkippedOnly))
      .flatMap((judged) => (judged === undefined ? [] : describeOne(run, judged))),
  );
}

/** An ended run left it, and since then neither a move, another run nor a change of main has dealt with it. */
function isLeft({ state, run }: JudgedWorkload): boolean {
  if (run !== undefined) return false;
  switch (state.kind) {
    case "pending":
    case "waiting":
      return true;
    case "skipped":
      return state.failureAnnotation === undefined;
    case "unmanaged":
    case "migrated":
    case "idle":
    case "migrating":
      return false;
  }
}

/** Each workload once, by the newest run that skipped it. An archived run has only figures. */
function listOfEnded({ judged }: Evaluation, { ledger }: Pick<Snapshot, "ledger">): readonly Skipped[] {
  const seen = new Set<string>();
  const ended = Object.values(ledger?.runs ?? {}).filter(({ state }) => state === "done");
  return ended
    .toSorted((a, b) => b.order - a.order)
    .flatMap((run) =>
      (run.outcome?.skipped ?? []).flatMap((each) => {
        const name = nameInFleet(each.cluster, each.workload);
        if (seen.has(name)) return [];
        seen.add(name);
        const found = each.failed === true ? undefined : judged.get(each.cluster)?.find(each.workload);
        return found === undefined || !isLeft(found) ? [] : describeOne(run, found, each);
      }),
    );
}

function describeNeighbour(
  { cluster, namespace, kind, name, reason }: LeftBehind,
  judged: JudgedWorkload,
  run: RunRecord | undefined,
): Skipped {
  const id = findOwnWrite(judged.inventory.namespace)?.run.run ?? "";
  const item = {
    workload: nameInFleet(cluster, `${namespace}/${kind}/${name}`),
    ...renderWorkloadReason(reason),
    revision: judged.desired,
    run: id,
    ...(run?.campaign === undefined ? {} : { campaign: run.campaign }),
    ...(run?.endedAt === undefined ? {} : { since: run.endedAt }),
    command: nameRestartWay({ namespace, kind, name }),
  };
  return { code: reason.code, campaign: run?.campaign, render: () => item, judged, isNeighbour: true };
}

/** Workloads that are not moved, in a namespace whose label a run changed to the target, and that do not run the target. */
function listNeighbours({ judged }: Evaluation, { ledger }: Pick<Snapshot, "ledger">): readonly Skipped[] {
  const seen = new Set<string>();
  return [...judged].flatMap(([cluster, index]) =>
    [...index.list("leavesBehind")].flatMap((each) => {
      const { namespace } = each.workload;
      if (seen.has(`${cluster}/${namespace}`)) return [];
      seen.add(`${cluster}/${namespace}`);
      const run = lookUp(ledger?.runs, findOwnWrite(each.inventory.namespace)?.run.run ?? "");
      return listLeftBehind([each]).map((left) => describeNeighbour(left, each, run));
    }),
  );
}

/**
 * Every workload that a run skipped without a failure: those of open runs first, then the newest first, then those affected
 * only by a namespace's label.
 */
export function listFleetSkipped(evaluation: Evaluation, snapshot: Pick<Snapshot, "ledger">): readonly Skipped[] {
  return [...listOfOpen(evaluation), ...listOfEnded(evaluation, snapshot), ...listNeighbours(evaluation, snapshot)];
}

function countCodes(all: readonly Skipped[]): SkippedSummary["codes"] {
  const counts = new Map<string, number>();
  for (const { code } of all) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => ({ code, count })).toSorted((a, b) => b.count - a.count);
}

/** `views`: the open runs, of which each counts its own. */
export function describeSkipped(all: readonly Skipped[], views: readonly RunView[]): SkippedSummary {
  const open = new Set(views.map(({ run }) => run.id));
  const neighbours = all.filter(({ isNeighbour }) => isNeighbour === true).length;
  const own = all.filter(({ judged, isNeighbour }) => isNeighbour !== true && open.has(judged.run?.id ?? "")).length;
  const earlier = open.size === 0 ? 0 : all.length - neighbours - own;
  return {
    count: all.length,
    ...(earlier === 0 ? {} : { earlier }),
    ...(neighbours === 0 ? {} : { neighbours }),
    namespaces: new Set(all.map(({ judged }) => judged.workload.namespace)).size,
    codes: countCodes(all),
    items: all.slice(0, mostListed).map(({ render }) => render()),
  };
}
