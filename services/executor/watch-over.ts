import { type Care, planCare, type ProgressMemory, type WorkloadStanding } from "#libs/plan";
import type { Logger } from "#libs/runtime";

import { lookAround, type Surroundings } from "./look-around.ts";
import type { Teller } from "./tell.ts";

export interface Watchman {
  readonly surroundings: Surroundings;
  readonly tell: Teller;
  readonly log: Logger;
  /** What the API server refused, by workload, for people. */
  readonly troubles: Map<string, string>;
  /** When each moving workload last made progress, as far as this process saw. */
  readonly progress: ProgressMemory;
  /** What rolled at the last look, to tell arrivals once. */
  readonly rolled: Map<string, WorkloadStanding>;
}

async function carryOut(watchman: Watchman, care: Care): Promise<void> {
  const { surroundings, log, tell } = watchman;
  const { workload, key } = care.standing;
  const outcome =
    care.write.object === "namespace"
      ? await surroundings.cluster.patchNamespace(workload.namespace, care.write.change)
      : await surroundings.cluster.patchWorkload(workload, care.write.change);
  if (outcome.kind === "refused") {
    const undone = care.reverts ? "put back" : "written";
    watchman.troubles.set(key, `${key} cannot be ${undone}: the API server says ${outcome.why}`);
  } else watchman.troubles.delete(key);
  if (outcome.kind !== "written") {
    log.info({ workload: key, care: care.kind, outcome }, "not written: the next look decides anew");
    return;
  }
  if (care.write.object === "workload") surroundings.pending.add(workload, outcome.resourceVersion);
  log.info({ workload: key, care: care.kind, reason: care.reason }, "looked after");
  if (care.kind === "fail")
    tell("workloadFailed", care.standing, care.run, { reason: care.reason, reverted: care.reverts });
  if (care.kind === "takeBack")
    tell("workloadTakenBack", care.standing, care.run, { reason: care.reason, reverted: true });
}

/** Tells of workloads that rolled at the last look and have arrived since. */
function tellArrivals({ rolled, tell }: Watchman, judged: ReadonlyMap<string, WorkloadStanding>): void {
  for (const [key, before] of rolled) {
    const now = judged.get(key);
    if (now?.standing.kind === "there" && before.standing.kind === "moving" && now.run !== undefined) {
      tell("workloadArrived", now, now.run.id);
    }
  }
  rolled.clear();
  for (const [key, each] of judged) if (each.rolling) rolled.set(key, each);
}

/**
 * One look at everything that moves in the cluster, with or without a job: what failed is marked and undone, what head
 * does not demand is taken back, what arrived is told (rules 4.2, 4.4, 4.6).
 */
export async function watchOver(watchman: Watchman): Promise<void> {
  const { world, spec, judged } = await lookAround(watchman.surroundings);
  tellArrivals(watchman, judged);
  if (spec === undefined || !world.cluster.fresh) return;
  const { clock } = watchman.surroundings;
  const times = { now: clock.now(), monotonic: clock.monotonic() };
  const cares = planCare({ world, judged: [...judged.values()], settings: spec.settings, ...times }, watchman.progress);
  for (const care of cares) {
    if (!watchman.surroundings.pending.has(care.standing.workload)) await carryOut(watchman, care);
  }
}
