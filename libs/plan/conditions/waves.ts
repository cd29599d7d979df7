import { lookUp } from "#libs/input";
import type { ClusterOrder } from "#libs/campaign";
import type { Reason } from "#libs/wording";

import { type ClusterSnapshot, parseTime, printTime, type RunRecord } from "../records/index.ts";
import { leftClasses, type RunView } from "../index/index.ts";

/** What the waves of a run ask for next. */
export type WaveStep =
  | { readonly kind: "open"; readonly clusters: readonly ClusterSnapshot[] }
  /** Nothing is left in these: the delay to the next wave begins. */
  | { readonly kind: "close"; readonly clusters: readonly string[] }
  /** These had an end, and a workload came late: what is not over has none. */
  | { readonly kind: "reopen"; readonly clusters: readonly string[] }
  | { readonly kind: "wait"; readonly reason: Reason }
  | { readonly kind: "nothing" };

/** All that the order of a run's clusters depends on. */
export interface WaveQuestion {
  readonly now: number;
  readonly view: RunView;
  /** Clusters that the run waits for, without those skipped. */
  readonly awaited: readonly string[];
  readonly clusters: ReadonlyMap<string, ClusterSnapshot>;
  /** Absent = a person's run: one wave of all. */
  readonly order: ClusterOrder | undefined;
}

const oneWave: ClusterOrder = { order: [], delayBetweenWaves: 0 };

/** A cluster that was unknown when the run began enters the last wave, wherever the order names it (rules 6.1). */
function isLate({ clusters, expected }: RunRecord, name: string): boolean {
  return lookUp(clusters, name) === undefined && expected?.includes(name) !== true;
}

/** Waves of the clusters that a run waits for; those that the order does not name come last (rules 6.1). */
function listWaves({ order = oneWave, awaited, view }: WaveQuestion): readonly (readonly string[])[] {
  const inTime = new Set(awaited.filter((name) => !isLate(view.run, name)));
  const named = order.order.map((wave) => wave.filter((name) => inTime.has(name)));
  const known = new Set(named.flat());
  const waves = [...named, [...inTime].filter((name) => !known.has(name))].filter((wave) => wave.length > 0);
  const late = awaited.filter((name) => !inTime.has(name));
  return late.length === 0 ? waves : [...waves.slice(0, -1), [...(waves.at(-1) ?? []), ...late]];
}

function hasWork({ view }: WaveQuestion, name: string): boolean {
  return (view.clusters.get(name)?.count(leftClasses) ?? 0) > 0;
}

/** Its wave is open, it is seen, and nothing of the run is left in it. */
function isDone(question: WaveQuestion, name: string): boolean {
  const { view, clusters } = question;
  const isSeen = clusters.get(name)?.fresh === true;
  const opened = lookUp(view.run.clusters, name);
  return opened !== undefined && isSeen && !hasWork(question, name);
}

/** How much of a run is through in a cluster, 0 to 1. */
function measureShare({ view }: WaveQuestion, name: string): number {
  const classes = view.clusters.get(name);
  const all = classes?.count([...leftClasses, "migrated", "idle", "skipped"]) ?? 0;
  return all === 0 ? 1 : 1 - (classes?.count(leftClasses) ?? 0) / all;
}

/** The one of which the least is through goes first; of equal ones as the order names them (rules 4.7). */
function sortByShare(question: WaveQuestion, wave: readonly string[]): readonly string[] {
  return wave
    .map((name) => ({ name, share: measureShare(question, name) }))
    .toSorted((a, b) => a.share - b.share)
    .map(({ name }) => name);
}

/** Those of a wave that may open now: `concurrency` counts the clusters that have work; one without opens next to them. */
function chooseOpening(question: WaveQuestion, wave: readonly string[]): readonly ClusterSnapshot[] {
  const { view, clusters, order } = question;
  const closed = wave.filter((name) => lookUp(view.run.clusters, name) === undefined);
  if (closed.length === 0) return [];
  let places =
    (order?.concurrency ?? Number.POSITIVE_INFINITY) - wave.filter((name) => isAtWork(question, name)).length;
  return sortByShare(question, closed).flatMap((name) => {
    const cluster = clusters.get(name);
    if (cluster?.fresh !== true) return [];
    if (!hasWork(question, name)) return [cluster];
    places -= 1;
    return places >= 0 ? [cluster] : [];
  });
}

function isAtWork(question: WaveQuestion, name: string): boolean {
  return lookUp(question.view.run.clusters, name) !== undefined && hasWork(question, name);
}

/** Until when the next wave has to wait for the ones before it, `now`-time. */
function findStart({ view, order = oneWave }: WaveQuestion, before: readonly string[]): number {
  const ends = before.flatMap((name) => lookUp(view.run.clusters, name)?.doneAt ?? []).map(parseTime);
  return ends.length === 0 ? 0 : Math.max(...ends) + order.delayBetweenWaves;
}

/** Clusters of earlier waves whose end was not noted yet: only where a condition counts from it. */
function listToClose({ view, order = oneWave }: WaveQuestion, before: readonly string[]): readonly string[] {
  if (order.delayBetweenWaves === 0) return [];
  return before.filter((name) => lookUp(view.run.clusters, name)?.doneAt === undefined);
}

/** Clusters whose end was noted and is none any more, while another wave still counts from it. */
function listToReopen(question: WaveQuestion, wave: readonly string[]): readonly string[] {
  const { clusters } = question.view.run;
  if (question.awaited.every((name) => lookUp(clusters, name) !== undefined)) return [];
  return wave.filter((name) => lookUp(clusters, name)?.doneAt !== undefined && hasWork(question, name));
}

/** Opens what is next of one wave, when those before it are over. */
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
 * All are seen, and nothing is left in any: no wave has to wait for another one, and the record names every cluster. What is left
 * in one that is not seen is unknown, whatever was seen of it before: the waves after it stay closed.
 */
function findIdle(question: WaveQuestion): readonly ClusterSnapshot[] {
  const { awaited, clusters, view } = question;
  const seen = awaited.flatMap((name) => clusters.get(name) ?? []).filter(({ fresh }) => fresh);
  if (seen.length < awaited.length || awaited.some((name) => hasWork(question, name))) return [];
  return seen.filter(({ name }) => lookUp(view.run.clusters, name) === undefined);
}

/** Every cluster is open, and no wave counts from the end of another one: as it is most of the time. */
function areAllOpen({ awaited, view, order = oneWave }: WaveQuestion): boolean {
  return order.delayBetweenWaves === 0 && awaited.every((name) => lookUp(view.run.clusters, name) !== undefined);
}

/**
 * The wave of a run that is at work: opened as far as `concurrency` allows, and the next one only when every cluster of
 * those before it was seen to have nothing left (rules 6.1). An unreachable cluster holds back the next wave only.
 */
export function planWave(question: WaveQuestion): WaveStep {
  if (areAllOpen(question)) return { kind: "nothing" };
  const idle = findIdle(question);
  if (idle.length > 0) return { kind: "open", clusters: idle };
  const before: string[] = [];
  for (const wave of listWaves(question)) {
    const isOver = wave.every((name) => isDone(question, name));
    const late = isOver ? [] : listToReopen(question, wave);
    if (late.length > 0) return { kind: "reopen", clusters: late };
    if (!isOver) return openNext(question, wave, before);
    before.push(...wave);
  }
  return { kind: "nothing" };
}
