import { lookUp } from "#libs/input";
import type { ClusterFacts } from "#libs/fleet";
import type { LedgerState } from "#libs/plan";

/**
 * An open run was begun in another cluster of this name: a swapped kubeconfig context, or a new cluster. Not a word
 * is written to it, neither moves nor undoes nor stops, until a person has looked (rules 9.1).
 */
export function isOtherCluster(facts: Pick<ClusterFacts, "cluster" | "uid">, ledger: LedgerState | undefined): boolean {
  const open = Object.values(ledger?.runs ?? {}).filter((run) => run.state === "open");
  return open.some((run) => {
    const opened = lookUp(run.clusters, facts.cluster)?.uid;
    return opened !== undefined && opened !== facts.uid;
  });
}
