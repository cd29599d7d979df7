import type { KeyValue } from "#libs/bus";
import { nameClusterKey, readClusterFacts } from "#libs/events";
import type { ClusterFacts } from "#libs/fleet";
import type { Cluster } from "#libs/kube";
import type { Clock, Logger } from "#libs/runtime";

import { boundStops, cleanProblems } from "./bound-facts.ts";
import { fitFacts } from "./fit-facts.ts";

/** How often it is looked why a cluster cannot be looked at, real ms. */
const unseenEveryMs = 5_000;
/** No number of keys equals it: what was not looked at is never fresh. */
const unknownCount = -1;

export interface UnseenOptions {
  readonly cluster: Pick<Cluster, "name" | "view" | "problems">;
  readonly mode: ClusterFacts["mode"];
  readonly inventory: Pick<KeyValue, "get" | "put">;
  readonly clock: Pick<Clock, "sleepReal">;
  readonly log: Pick<Logger, "warn">;
}

/**
 * What is known of it: what this process read, else what the executor before it did. Without the UID that stood there it would look
 * as if another cluster answered; where there is none, it is one that no executor ever read, and no run counts it.
 */
async function readKnown({ cluster: { name, view }, inventory }: UnseenOptions): Promise<Omit<ClusterFacts, "mode">> {
  const own = view.facts();
  if (own.uid !== "") return { ...own, count: unknownCount, problems: [] };
  const before = await inventory.get(nameClusterKey(name));
  const known = before?.value === undefined ? undefined : readClusterFacts(name, before.value);
  return { ...(known ?? own), count: unknownCount, problems: [] };
}

/** Tells what keeps the cluster from being looked at, once for each list of problems, until the signal aborts. */
export async function tellWhyUnseen(options: UnseenOptions, signal: AbortSignal): Promise<void> {
  const { cluster, mode, inventory, clock, log } = options;
  let told = "[]";
  while (!signal.aborted) {
    const problems = cleanProblems(cluster.problems());
    const seen = JSON.stringify([problems, cluster.view.facts().uid]);
    if (problems.length > 0 && seen !== told) {
      try {
        const known = await readKnown(options);
        const { stops } = boundStops(known.stops);
        const value = fitFacts({ ...known, stops, mode, problems });
        await inventory.put(nameClusterKey(cluster.name), value);
        told = seen;
      } catch (error) {
        log.warn({ error, problems }, "could not tell why the cluster cannot be looked at");
      }
    }
    await clock.sleepReal(unseenEveryMs, signal).catch(() => undefined);
  }
}
