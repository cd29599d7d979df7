import type { LedgerChange, RunRecord } from "#libs/plan";

function listOfRun({ startedAt, endedAt, bake, gates, clusters }: RunRecord): readonly (string | undefined)[] {
  const waves = Object.values(clusters).flatMap(({ openedAt, doneAt }) => [openedAt, doneAt]);
  return [startedAt, endedAt, bake?.savedAt, ...Object.values(gates ?? {}).map(({ at }) => at), ...waves];
}

/**
 * When a transition was recorded, epoch ms, by the clock that its records have: the newest time in what it changed. Undefined
 * when it changed nothing that has one.
 */
export function findMoment({ runs = [], stops = [], plans = [] }: LedgerChange): number | undefined {
  const times = [
    ...runs.flatMap(({ run }) => listOfRun(run)),
    ...stops.flatMap(({ stop: { at, resume } }) => [at, resume?.at]),
    ...plans.flatMap(({ plan: { at, listedAt } }) => [at, listedAt]),
  ];
  const newest = times
    .filter((time) => time !== undefined)
    .toSorted()
    .at(-1);
  return newest === undefined ? undefined : Date.parse(newest);
}
