import { findIstiodVersion, isSkewed, type Planes, type PodTemplate, readImageVersion } from "#libs/fleet";
import type { RefusedReason } from "#libs/wording";

import { type ControlPlane, resolveTarget } from "../sites/effective-revision.ts";
import { readPin } from "./find-pinned-proxy.ts";

/**
 * Why the sidecar that an owner pins may not be given to the target's istiod: they are more than one minor apart, or that is not known.
 * What is not pinned is injected by that istiod itself, in its own version.
 */
export function findProxySkew(
  template: PodTemplate,
  target: string,
  cluster: ControlPlane & Planes,
): Extract<RefusedReason, { readonly code: "ProxySkew" }> | undefined {
  const pin = readPin(template);
  if (pin === undefined) return undefined;
  const revision = resolveTarget(cluster, target);
  const istiod = findIstiodVersion(cluster, revision, target);
  const proxy = readImageVersion(pin.image);
  const isKnown = proxy !== undefined && istiod.version !== undefined;
  if (isKnown && !isSkewed(proxy.version, istiod.version)) return undefined;
  return {
    code: "ProxySkew",
    ...pin,
    revision,
    ...(proxy === undefined ? {} : { proxy: proxy.text }),
    ...(istiod.version === undefined ? {} : { istiod: istiod.text }),
  };
}
