import type { ClusterSnapshot, Reason } from "../records/index.ts";

function say(code: string, message: string, owner: string, command?: string): Reason {
  return command === undefined ? { code, message, owner } : { code, message, owner, command };
}

/** Why this cluster gets no work whatever the run: unreachable, observing, or the target's control plane is not there. */
export function findClusterObstacle(cluster: ClusterSnapshot): Reason | undefined {
  if (!cluster.fresh) {
    const seconds = Math.round(cluster.ageMs / 1000);
    return say(
      "ClusterUnreachable",
      `${cluster.name} was last seen ${seconds} s ago: nobody is moved on facts older than 60 s`,
      "the executor of this cluster",
      `meshroll status`,
    );
  }
  if (cluster.servedFor !== undefined) {
    const whose = cluster.servedFor === "" ? "another installation" : `installation ${cluster.servedFor}`;
    return say(
      "ClusterOfOther",
      `${cluster.name} is served for ${whose}: its ConfigMap meshroll-installation says so`,
      "who starts the executors",
      "kubectl -n meshroll-system delete configmap meshroll-installation   (hands it over)",
    );
  }
  if (cluster.facts.mode === "observe") {
    return say(
      "ObserveOnly",
      `${cluster.name} is only observed: its executor runs without --act`,
      "whoever runs the executor",
      "start the executor with --act",
    );
  }
  return undefined;
}

/** Budgets that may not be read are not absent but unknown: nobody is moved who may have one that allows nothing. */
function findBudgetObstacle(cluster: ClusterSnapshot): Reason | undefined {
  if (cluster.facts.budgetsKnown !== false) return undefined;
  return say(
    "BudgetsUnknown",
    `the executor may not read the PodDisruptionBudgets of ${cluster.name}`,
    "whoever grants the executor its rights",
    "kubectl auth can-i watch poddisruptionbudgets.policy -A   (as the executor)",
  );
}

/**
 * Why nobody can be moved to a revision in this cluster, by what its executor sees: budgets are unknown, or the revision's
 * webhook or istiod is missing or not ready (rules 4.5).
 */
export function findRevisionObstacle(cluster: ClusterSnapshot, revision: string): Reason | undefined {
  const unknown = findBudgetObstacle(cluster);
  if (unknown !== undefined) return unknown;
  const facts = cluster.facts.revisions.find((each) => each.name === revision);
  const install = `istioctl install --revision ${revision}   (in cluster ${cluster.name})`;
  if (facts === undefined || !facts.webhook) {
    const message = `revision ${revision} has no injector webhook in ${cluster.name}`;
    return say("RevisionMissing", message, "the mesh operator", install);
  }
  if (facts.istiod !== "ready") {
    const message = `istiod of revision ${revision} is ${facts.istiod} in ${cluster.name}`;
    return say("IstiodNotReady", message, "the mesh operator", install);
  }
  return undefined;
}
