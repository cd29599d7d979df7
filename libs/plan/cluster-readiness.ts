import type { Reason } from "./decision.ts";
import type { ClusterWorld } from "./world.ts";

function say(code: string, message: string, owner: string, command?: string): Reason {
  return command === undefined ? { code, message, owner } : { code, message, owner, command };
}

/** Why this cluster gets no work whatever the run: unreachable, observing, or the target's control plane is not there. */
export function findClusterObstacle(cluster: ClusterWorld): Reason | undefined {
  if (!cluster.fresh) {
    const seconds = Math.round(cluster.ageMs / 1000);
    return say(
      "ClusterUnreachable",
      `${cluster.name} was last seen ${seconds} s ago: nobody is moved on facts older than 60 s`,
      "the executor of this cluster",
      `meshroll status`,
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

/** Why a revision cannot be moved to in this cluster (rules 4.5): its webhook or its istiod is missing or not ready. */
export function findRevisionObstacle(cluster: ClusterWorld, revision: string): Reason | undefined {
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
