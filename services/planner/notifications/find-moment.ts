import { lookUp } from "#libs/input";
import type { LedgerState, RunRecord } from "#libs/plan";

function listOfRun({ startedAt, endedAt, bake, gates, clusters }: RunRecord): readonly (string | undefined)[] {
  const waves = Object.values(clusters).flatMap(({ openedAt, doneAt }) => [openedAt, doneAt]);
  return [startedAt, endedAt, bake?.savedAt, ...Object.values(gates ?? {}).map(({ at }) => at), ...waves];
}

function listNews<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>): readonly T[] {
  return Object.entries(after).flatMap(([id, record]) => (lookUp(before, id) === record ? [] : [record]));
}

/**
 * When a transition was recorded, epoch ms, by the clock that its records have: the newest time in what it changed. Undefined
 * when it changed nothing that has one.
 */
export function findMoment(before: LedgerState, after: LedgerState): number | undefined {
  const times = [
    ...listNews(before.runs, after.runs).flatMap(listOfRun),
    ...listNews(before.stops, after.stops).flatMap(({ at, resume }) => [at, resume?.at]),
    ...listNews(before.plans, after.plans).flatMap(({ at, listedAt }) => [at, listedAt]),
  ];
  const newest = times
    .filter((time) => time !== undefined)
    .toSorted()
    .at(-1);
  return newest === undefined ? undefined : Date.parse(newest);
}
