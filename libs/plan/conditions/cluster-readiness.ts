import {
  type ClusterFacts,
  findInjectedImage,
  findVersion,
  type InjectionProof,
  isSkewed,
  readImageVersion,
  type RevisionFacts,
} from "#libs/fleet";
import { resolveTarget } from "#libs/injection";
import { lookUp } from "#libs/input";
import type { Reason, ReasonOf } from "#libs/wording";

import type { ClusterSnapshot } from "../records/index.ts";

type Plane = NonNullable<ReasonOf<"RevisionMissing">["plane"]>;

/** Why this cluster gets no work from any run: unreachable, observed only, or served for another installation. */
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

/** Where a cluster's control planes run, which the advice to people depends on. */
function describePlane({ controlPlane, revisions }: ClusterFacts): Plane {
  if (controlPlane?.cluster !== undefined) return { kind: "elsewhere", cluster: controlPlane.cluster };
  const isHere = revisions.some(({ istiod }) => istiod !== "missing");
  return isHere ? { kind: "here" } : { kind: "unknown" };
}

/** Judges by the istiod in the cluster, for executors that make no dry runs. */
function judgeIstiod(
  facts: ClusterFacts,
  { name: revision, istiod, injectorHost }: RevisionFacts,
): ReasonOf<"IstiodNotReady" | "InjectionUnproven"> | undefined {
  if (istiod === "ready") return undefined;
  const { cluster, controlPlane } = facts;
  const isElsewhere = controlPlane?.cluster !== undefined || injectorHost !== undefined;
  if (istiod === "missing" && isElsewhere) return { code: "InjectionUnproven", cluster, revision };
  const { namespace, label } = controlPlane ?? {};
  const place = { ...(namespace === undefined ? {} : { namespace }), ...(label === undefined ? {} : { label }) };
  return { code: "IstiodNotReady", cluster, revision, istiod, ...place };
}

/**
 * Why no workload can be moved to a revision in this cluster, as its executor sees it: budgets are unknown, the revision's
 * webhook is missing, its istiod is not ready, or no dry run of a pod came back with its sidecar (rules 4.5). Budgets that may
 * not be read could allow nothing. A tag needs its own webhook and a ready revision. What it injects is at most one minor from its istiod,
 * as far as that reports its version.
 */
export function findRevisionObstacle(facts: ClusterFacts, target: string): Reason | undefined {
  return findUnknownBudgets(facts) ?? judgeInjection(facts, target) ?? findInjectedSkew(facts, target);
}

function findInjectedSkew(facts: ClusterFacts, target: string): Reason | undefined {
  const revision = resolveTarget(facts, target);
  const reported = facts.revisions.find(({ name }) => name === revision)?.version;
  const image = findInjectedImage(facts, target);
  const proxy = image === undefined ? undefined : readImageVersion(image);
  const istiod = reported === undefined ? undefined : findVersion(reported, revision);
  if (proxy === undefined || istiod?.version === undefined) return undefined;
  if (!isSkewed(proxy.version, istiod.version)) return undefined;
  return { code: "InjectionSkewed", cluster: facts.cluster, revision, proxy: proxy.text, istiod: istiod.text };
}

function findUnknownBudgets({ cluster, budgetsKnown }: ClusterFacts): Reason | undefined {
  return budgetsKnown === false ? { code: "BudgetsUnknown", cluster } : undefined;
}

type Uninjected = ReasonOf<"RevisionMissing" | "IstiodNotReady" | "InjectionRefused" | "InjectionUnproven">;

function judgeInjection(facts: ClusterFacts, target: string): Uninjected | undefined {
  const { cluster, injection } = facts;
  const revision = resolveTarget(facts, target);
  const known = facts.revisions.find((each) => each.name === revision);
  if (known === undefined || !known.webhook)
    return { code: "RevisionMissing", cluster, revision, plane: describePlane(facts) };
  // An istiod in the cluster that is not ready would not answer the next dry run.
  if (injection === undefined || known.istiod === "unready") return judgeIstiod(facts, known);
  return judgeProof({ cluster, revision: target }, lookUp(injection, target));
}

function judgeProof(
  about: { readonly cluster: string; readonly revision: string },
  proof: InjectionProof | undefined,
): Uninjected | undefined {
  if (proof === undefined) return { code: "InjectionUnproven", ...about };
  if (proof.state === "proven") return undefined;
  const { why } = proof;
  if (proof.state === "refused") return { code: "InjectionRefused", ...about, why };
  return { code: "InjectionUnproven", ...about, why, ...(proof.mayNotTry === true ? { mayNotTry: true } : {}) };
}

/** Why new pods of a revision or tag certainly get no sidecar in this cluster. */
export type Unserved = Exclude<Uninjected, { readonly code: "InjectionUnproven" }>;

/**
 * Why nothing serves a revision or tag in this cluster. Unknown states are no reason; without a successful dry run, a missing
 * istiod is one.
 */
export function findUnserved(facts: ClusterFacts, target: string): Unserved | undefined {
  const obstacle = judgeInjection(facts, target);
  if (obstacle?.code !== "InjectionUnproven") return obstacle;
  const known = facts.revisions.find(({ name }) => name === resolveTarget(facts, target));
  const istiod = known === undefined ? undefined : judgeIstiod(facts, known);
  return istiod?.code === "InjectionUnproven" ? undefined : istiod;
}

/**
 * As `findRevisionObstacle`, for a rollback: an unproven injection does not hold it (rules 2.3), nor does a version, as it goes back
 * to what ran there before.
 */
export function findRollbackObstacle(facts: ClusterFacts, target: string): Reason | undefined {
  return findUnknownBudgets(facts) ?? findUnserved(facts, target);
}
