import type { ClusterFacts } from "#libs/fleet";
import { resolveTarget } from "#libs/injection";
import type { Reason } from "#libs/wording";

import type { ClusterSnapshot } from "../records/index.ts";

/** Why this cluster gets no work whatever the run: unreachable, observing, or served for another installation. */
export function findClusterObstacle({ name, fresh, ageMs, servedFor, facts }: ClusterSnapshot): Reason | undefined {
  if (!fresh)
    return {
      code: "ClusterUnreachable",
      cluster: name,
      seconds: Math.round(ageMs / 1000),
      hinders: { kind: "moves" },
    };
  if (servedFor !== undefined)
    return { code: "ClusterOfOther", cluster: name, ...(servedFor === "" ? {} : { installation: servedFor }) };
  return facts.mode === "observe" ? { code: "ObserveOnly", cluster: name } : undefined;
}

/**
 * Why no workload can be moved to a revision in this cluster, by what its executor sees: budgets are unknown, or the revision's
 * webhook or istiod is missing or not ready (rules 4.5). Budgets that may not be read are not absent: one may allow nothing.
 * A target that is a tag is as ready as the revision to which it points.
 */
export function findRevisionObstacle(facts: ClusterFacts, target: string): Reason | undefined {
  const { cluster } = facts;
  if (facts.budgetsKnown === false) return { code: "BudgetsUnknown", cluster };
  const revision = resolveTarget(facts, target);
  const known = facts.revisions.find((each) => each.name === revision);
  if (known === undefined || !known.webhook) return { code: "RevisionMissing", cluster, revision };
  return known.istiod === "ready" ? undefined : { code: "IstiodNotReady", cluster, revision, istiod: known.istiod };
}
