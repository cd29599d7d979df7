import type { Cluster, WriteOutcome } from "#libs/kube";
import type { Clock, Logger } from "#libs/runtime";

import type { Troubles } from "../messages/troubles.ts";

interface Parts {
  readonly cluster: Cluster;
  readonly installation: string;
  readonly troubles: Pick<Troubles, "put" | "clear">;
  readonly clock: Clock;
  readonly log: Logger;
  readonly waitForChange: (longestMs: number, signal: AbortSignal) => Promise<void>;
}

/** How often the claim is checked when nothing changes, and how soon a failed claim is tried again, real ms. */
const checkEveryMs = 1_000;
const retryMs = 10_000;

const about = "installation";
const map = "ConfigMap meshroll-system/meshroll-installation";

function describeOther(cluster: string, other: string, own: string): string {
  const whose =
    other === "" ? `${map} in ${cluster} names no installation` : `${cluster} is served for installation ${other}`;
  const command = "kubectl -n meshroll-system delete configmap meshroll-installation";
  return `ClusterOfOther: ${whose}, this executor serves ${own}: nothing is written here; to hand it over: ${command}`;
}

function describeFailure(cluster: string, outcome: WriteOutcome): string {
  const why = "why" in outcome ? outcome.why : outcome.kind;
  return `ClusterUnclaimed: ${map} cannot be created in ${cluster} (${why}): nothing is written here before it exists`;
}

/**
 * Checks the claim once and claims a cluster that no installation serves. Returns the real ms to wait after a claim, 0 where
 * none was needed.
 */
async function claimOnce({ cluster, installation, troubles, log }: Parts): Promise<number> {
  const found = cluster.view.facts().installation;
  if (found === installation) {
    troubles.clear(about);
    return 0;
  }
  if (found !== undefined) {
    const text = describeOther(cluster.name, found, installation);
    if (troubles.put(about, text)) log.error({ found, installation }, "the cluster is served for another installation");
    return 0;
  }
  const outcome = await cluster.claim(installation);
  // After a conflict the watch shows which installation was first.
  if (outcome.kind === "written" || outcome.kind === "conflict") return checkEveryMs;
  troubles.put(about, describeFailure(cluster.name, outcome));
  return retryMs;
}

/**
 * Writes into the cluster which installation serves it, and reports when another one does: two installations would undo each
 * other's moves. Only a person hands a cluster over, by deleting the ConfigMap.
 */
export async function claimCluster(parts: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = await claimOnce(parts).catch((error: unknown) => {
      parts.log.error({ error }, "could not renew the claim of the cluster: the next check tries again");
      return retryMs;
    });
    if (pauseMs === 0) await parts.waitForChange(checkEveryMs, signal);
    else await parts.clock.sleepReal(pauseMs, signal).catch(() => undefined);
  }
}
