import { resolveTarget, type Site, type Touched } from "#libs/injection";
import type { WaitingReason } from "#libs/wording";

import type { Spec } from "../../records/index.ts";
import type { Case } from "../cases/workload-case.ts";

/** A wait that only a person can end: the tag's owner, or an approver of `meshroll.yml`, is named. */
type EndlessWait = Extract<WaitingReason, { readonly code: "TagNotMoved" | "GatewayHeld" }>;

/** A wait for the workload's own owner, which ends after `readinessTimeout`. */
export type OwnersWait = Exclude<WaitingReason, EndlessWait | { readonly code: "AwaitsDeploy" }>;

export function isEndless(reason: WaitingReason): reason is EndlessWait {
  return reason.code === "TagNotMoved" || reason.code === "GatewayHeld";
}

/** Gateways that are named. */
const mostNamed = 3;

/** The facts for whether its namespace may be relabelled. */
interface Relabelled {
  readonly site: Site;
  readonly head: Spec;
  readonly namespaceBegun: boolean;
  readonly touched: readonly Touched[];
  /** A run rolls it back. */
  readonly isRollback: boolean;
  readonly namespace: string;
}

/** Its namespace's label would move a gateway next to it: a rollback does so anyway, and what has begun continues. */
function findHeldGateways(of: Relabelled): WaitingReason | undefined {
  const isRelabelled = of.site.kind === "namespace" && !of.namespaceBegun && !of.isRollback;
  if (!isRelabelled || of.head.settings.gateways === "move") return undefined;
  const gateways = of.touched.filter(({ as }) => as === "gateway" || as === "managedGateway");
  if (gateways.length === 0) return undefined;
  const names = gateways.slice(0, mostNamed).map(({ kind, name = "" }) => `${kind}/${name}`);
  return { code: "GatewayHeld", namespace: of.namespace, gateways: names };
}

/** The turn of the owner of a gateway or a tag, which no strategy and no time ends. */
export function findEndless(each: Case): WaitingReason | undefined {
  const { workload, site, owned, cluster } = each;
  const isRollback = owned.rollbackSince !== undefined;
  const held = findHeldGateways({ ...each, isRollback, namespace: workload.namespace });
  if (held !== undefined) return held;
  if (site.kind !== "tag" || site.revision === resolveTarget(cluster.facts, owned.desired)) return undefined;
  const { tag, revision } = site;
  return { code: "TagNotMoved", tag, revision, target: owned.desired };
}
