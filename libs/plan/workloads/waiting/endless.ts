import type { Site, Touched } from "#libs/injection";
import type { WaitingReason } from "#libs/wording";

import type { Spec } from "../../records/index.ts";

/** What waits for these waits until a person acts: the tag's owner, or who merges `meshroll.yml`, is named and asked. */
export function isEndless(
  reason: WaitingReason,
): reason is Extract<WaitingReason, { readonly code: "TagNotMoved" | "GatewayHeld" }> {
  return reason.code === "TagNotMoved" || reason.code === "GatewayHeld";
}

/** So many gateways are named. */
const mostNamed = 3;

/** All that decides whether its namespace may be relabelled. */
interface Relabelled {
  readonly site: Site;
  readonly head: Spec;
  readonly namespaceBegun: boolean;
  readonly touched: readonly Touched[];
  /** A run brings it back. */
  readonly isRollback: boolean;
  readonly namespace: string;
}

/** Its namespace's label would move a gateway next to it: a rollback goes over that, and what has begun goes on. */
export function findHeldGateways(of: Relabelled): WaitingReason | undefined {
  const isRelabelled = of.site.kind === "namespace" && !of.namespaceBegun && !of.isRollback;
  if (!isRelabelled || of.head.settings.gateways === "move") return undefined;
  const gateways = of.touched.filter(({ as }) => as === "gateway" || as === "managedGateway");
  if (gateways.length === 0) return undefined;
  const names = gateways.slice(0, mostNamed).map(({ kind, name = "" }) => `${kind}/${name}`);
  return { code: "GatewayHeld", namespace: of.namespace, gateways: names };
}
