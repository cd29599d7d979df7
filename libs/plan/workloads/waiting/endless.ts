import type { WaitingReason } from "#libs/wording";

import type { Case } from "../judge-workload.ts";

/** What waits for these waits until a person acts: the tag's owner, or who merges `meshroll.yml`, is named and asked. */
export function isEndless(
  reason: WaitingReason,
): reason is Extract<WaitingReason, { readonly code: "TagNotMoved" | "GatewayHeld" }> {
  return reason.code === "TagNotMoved" || reason.code === "GatewayHeld";
}

/** So many gateways are named. */
const mostNamed = 3;

/** Its namespace's label would move a gateway next to it: a rollback goes over that, and what has begun goes on. */
export function findHeldGateways({
  site,
  owned,
  head,
  namespaceBegun,
  touched,
  inventory,
}: Pick<Case, "site" | "owned" | "head" | "namespaceBegun" | "touched" | "inventory">): WaitingReason | undefined {
  const isRelabelled = site.kind === "namespace" && !namespaceBegun && owned.rollbackSince === undefined;
  if (!isRelabelled || head.settings.gateways === "move") return undefined;
  const gateways = touched.filter(({ as }) => as === "gateway" || as === "managedGateway");
  if (gateways.length === 0) return undefined;
  const names = gateways.slice(0, mostNamed).map(({ kind, name = "" }) => `${kind}/${name}`);
  return { code: "GatewayHeld", namespace: inventory.namespace.name, gateways: names };
}
