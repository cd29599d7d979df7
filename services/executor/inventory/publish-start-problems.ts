import type { KeyValue } from "#libs/bus";
import { nameClusterKey, readClusterFacts } from "#libs/events";
import type { ClusterFacts } from "#libs/fleet";
import type { Cluster } from "#libs/kube";
import type { Clock, Logger } from "#libs/runtime";

import { boundStops, cleanProblems } from "./bound-facts.ts";
import { fitFacts } from "./fit-facts.ts";

/** How often the problems are read, real ms. */
const unseenEveryMs = 5_000;
/** No number of keys equals it, so planners never take the cluster as fresh. */
const unknownCount = -1;

export interface StartProblemOptions {
  readonly cluster: Pick<Cluster, "name" | "view" | "problems">;
  readonly mode: ClusterFacts["mode"];
  readonly inventory: Pick<KeyValue, "get" | "put">;
  readonly clock: Pick<Clock, "sleepReal">;
  readonly log: Pick<Logger, "warn">;
}

/**
 * The cluster's facts: those that this process read, else those that the executor before it published. Their UID is kept,
 * because a different one would look like another cluster. Without any, no executor ever read this cluster, and no run counts
 * it.
 */
async function readKnown({
  cluster: { name, view },
  inventory,
}: StartProblemOptions): Promise<Omit<ClusterFacts, "mode">> {
  const own = view.facts();
  if (own.uid !== "") return { ...own, count: unknownCount, problems: [] };
  const before = await inventory.get(nameClusterKey(name));
  const known = before?.value === undefined ? undefined : readClusterFacts(name, before.value);
  return { ...(known ?? own), count: unknownCount, problems: [] };
}

/** Publishes why the cluster cannot be watched, once for each list of problems, until the signal aborts. */
export async function publishStartProblems(options: StartProblemOptions, signal: AbortSignal): Promise<void> {
  const { cluster, mode, inventory, clock, log } = options;
  let published = "[]";
  while (!signal.aborted) {
    const problems = cleanProblems(cluster.problems());
    const seen = JSON.stringify([problems, cluster.view.facts().uid]);
    if (problems.length > 0 && seen !== published) {
      try {
        const known = await readKnown(options);
        const { stops } = boundStops(known.stops);
        const value = fitFacts({ ...known, stops, mode, problems });
        await inventory.put(nameClusterKey(cluster.name), value);
        published = seen;
      } catch (error) {
        log.warn({ error, problems }, "could not publish why the cluster cannot be read");
      }
    }
    await clock.sleepReal(unseenEveryMs, signal).catch(() => undefined);
  }
}
