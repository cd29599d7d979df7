import { lookUp } from "#libs/input";
import type { ClusterOrder } from "#libs/campaign";
import type { Reason } from "#libs/wording";

import { type ClusterSnapshot, parseTime, printTime, type RunRecord } from "../records/index.ts";
import { countLeftIn, leftClasses, type RunView } from "../index/index.ts";

/** The next step for the waves of a run. */
export type WaveStep =
  | { readonly kind: "open"; readonly clusters: readonly ClusterSnapshot[] }
  /** Nothing is left in these clusters: the delay to the next wave begins. */
  | { readonly kind: "close"; readonly clusters: readonly string[] }
  /** These clusters were closed, and a workload was added since. */
  | { readonly kind: "reopen"; readonly clusters: readonly string[] }
  | { readonly kind: "wait"; readonly reason: Reason }
  | { readonly kind: "nothing" };

/** The facts that decide the order of a run's clusters. */
export interface WaveQuestion {
  readonly now: number;
  readonly view: RunView;
  /** Clusters that the run waits for, without those skipped. */
  readonly awaited: readonly string[];
  readonly clusters: ReadonlyMap<string, ClusterSnapshot>;
  /** Absent = a person's run: one wave of all clusters. */
  readonly order: ClusterOrder | undefined;
}

const oneWave: ClusterOrder = { order: [], delayBetweenWaves: 0 };

/** A cluster that was unknown when the run began enters the last wave, wherever the order names it (rules 6.1). */
function isLate({ clusters, expected }: RunRecord, name: string): boolean {
  return lookUp(clusters, name) === undefined && expected?.includes(name) !== true;
}

/** The waves of the clusters that a run waits for. Clusters that the order does not name form the last one (rules 6.1). */
function listWaves({ order = oneWave, awaited, view }: WaveQuestion): readonly (readonly string[])[] {
  const inTime = new Set(awaited.filter((name) => !isLate(view.run, name)));
  const named = order.order.map((wave) => wave.filter((name) => inTime.has(name)));
  const known = new Set(named.flat());
  const waves = [...named, [...inTime].filter((name) => !known.has(name))].filter((wave) => wave.length > 0);
  const late = awaited.filter((name) => !inTime.has(name));
  return late.length === 0 ? waves : [...waves.slice(0, -1), [...(waves.at(-1) ?? []), ...late]];
}

/** Whether something of the run is left in this cluster. */
export function hasWorkIn({ clusters }: RunView, name: string): boolean {
  return countLeftIn(clusters.get(name)) > 0;
}

/** The wave is open in this cluster, its inventory is fresh, and nothing of the run is left in it. */
function isDone(question: WaveQuestion, name: string): boolean {
  const { view, clusters } = question;
  const isSeen = clusters.get(name)?.fresh === true;
  const opened = lookUp(view.run.clusters, name);
  return opened !== undefined && isSeen && !hasWorkIn(question.view, name);
}

/** The part of a run that is complete in a cluster, 0 to 1. */
function measureProgress({ view }: WaveQuestion, name: string): number {
  const classes = view.clusters.get(name);
  const all = classes?.count([...leftClasses, "migrated", "idle", "skipped"]) ?? 0;
  return all === 0 ? 1 : 1 - countLeftIn(classes) / all;
}

/** The cluster with the smallest part complete comes first; equal ones keep the order of the file (rules 4.7). */
function sortByProgress(question: WaveQuestion, wave: readonly string[]): readonly string[] {
  return wave
    .map((name) => ({ name, progress: measureProgress(question, name) }))
    .toSorted((a, b) => a.progress - b.progress)
    .map(({ name }) => name);
}

/** The clusters of a wave that may open now. `concurrency` limits the clusters with work; one without work always opens. */
function chooseOpening(question: WaveQuestion, wave: readonly string[]): readonly ClusterSnapshot[] {
  const { view, clusters, order } = question;
  const closed = wave.filter((name) => lookUp(view.run.clusters, name) === undefined);
  if (closed.length === 0) return [];
  let places =
    (order?.concurrency ?? Number.POSITIVE_INFINITY) - wave.filter((name) => isAtWork(question, name)).length;
  return sortByProgress(question, closed).flatMap((name) => {
    const cluster = clusters.get(name);
    if (cluster?.fresh !== true) return [];
    if (!hasWorkIn(question.view, name)) return [cluster];
    places -= 1;
    return places >= 0 ? [cluster] : [];
  });
}

function isAtWork(question: WaveQuestion, name: string): boolean {
  return lookUp(question.view.run.clusters, name) !== undefined && hasWorkIn(question.view, name);
}

/** Epoch ms at which the next wave may start: the last end of the earlier ones plus `delayBetweenWaves`. */
function findStart({ view, order = oneWave }: WaveQuestion, before: readonly string[]): number {
  const ends = before.flatMap((name) => lookUp(view.run.clusters, name)?.doneAt ?? []).map(parseTime);
  return ends.length === 0 ? 0 : Math.max(...ends) + order.delayBetweenWaves;
}

/** Clusters of earlier waves whose end is not recorded yet. Recorded only where a delay counts from it. */
function listToClose({ view, order = oneWave }: WaveQuestion, before: readonly string[]): readonly string[] {
  if (order.delayBetweenWaves === 0) return [];
  return before.filter((name) => lookUp(view.run.clusters, name)?.doneAt === undefined);
}

/** Clusters with a recorded end that have work again, while another wave still counts from that end. */
function listToReopen(question: WaveQuestion, wave: readonly string[]): readonly string[] {
  const { clusters } = question.view.run;
  if (question.awaited.every((name) => lookUp(clusters, name) !== undefined)) return [];
  return wave.filter((name) => lookUp(clusters, name)?.doneAt !== undefined && hasWorkIn(question.view, name));
}

/** Opens the next clusters of one wave, once the waves before it are over. */
function openNext(question: WaveQuestion, wave: readonly string[], before: readonly string[]): WaveStep {
  const close = listToClose(question, before);
  if (close.length > 0) return { kind: "close", clusters: close };
  const opening = chooseOpening(question, wave);
  if (opening.length === 0) return { kind: "nothing" };
  const start = findStart(question, before);
  if (start <= question.now) return { kind: "open", clusters: opening };
  const names = opening.map(({ name }) => name);
  return { kind: "wait", reason: { code: "DelayBetweenWaves", clusters: names, until: printTime(start) } };
}

/**
 * Clusters that may open at once because nothing is left in any of them, so no wave waits for another. Needs a fresh inventory
 * of all: what is left in an unseen cluster is unknown.
 */
function findIdle(question: WaveQuestion): readonly ClusterSnapshot[] {
  const { awaited, clusters, view } = question;
  const seen = awaited.flatMap((name) => clusters.get(name) ?? []).filter(({ fresh }) => fresh);
  if (seen.length < awaited.length || awaited.some((name) => hasWorkIn(question.view, name))) return [];
  return seen.filter(({ name }) => lookUp(view.run.clusters, name) === undefined);
}

/** Whether every cluster is open and no wave counts from the end of another: the usual case. */
function areAllOpen({ awaited, view, order = oneWave }: WaveQuestion): boolean {
  return order.delayBetweenWaves === 0 && awaited.every((name) => lookUp(view.run.clusters, name) !== undefined);
}

/**
 * Opens the present wave of a run as far as `concurrency` allows, and the next one only when nothing is left in every cluster
 * of those before it (rules 6.1). An unreachable cluster holds back only the next wave.
 */
export function planWave(question: WaveQuestion): WaveStep {
  if (areAllOpen(question)) return { kind: "nothing" };
  const idle = findIdle(question);
  if (idle.length > 0) return { kind: "open", clusters: idle };
  const before: string[] = [];
  for (const wave of listWaves(question)) {
    const isOver = wave.every((name) => isDone(question, name));
    const reopened = isOver ? [] : listToReopen(question, wave);
    if (reopened.length > 0) return { kind: "reopen", clusters: reopened };
    if (!isOver) return openNext(question, wave, before);
    before.push(...wave);
  }
  return { kind: "nothing" };
}
