import type { Manifest } from "#libs/artifact";

import type { ProxyProcess } from "./port.ts";

/** How a slot's proxy is started. */
export type LaunchPlan =
  /** It runs already. */
  | { readonly kind: "runs" }
  /** It takes over the newest one's listeners, which stay open. */
  | { readonly kind: "takeOver"; readonly epoch: number }
  /** All running ones are drained and ended first. */
  | { readonly kind: "restart"; readonly stop: readonly ProxyProcess[] };

/**
 * Chooses how a slot's proxy is started. `running`: oldest first; `manifests`: of their slots, where known. A proxy takes over
 * only where both have the same hot restart version, which Envoy requires.
 */
export function planLaunch(
  to: { readonly digest: string; readonly manifest: Manifest },
  running: readonly ProxyProcess[],
  findManifest: (digest: string) => Manifest | undefined,
): LaunchPlan {
  const newest = running.at(-1);
  if (newest === undefined) return { kind: "restart", stop: [] };
  if (newest.digest === to.digest) return { kind: "runs" };
  const version = findManifest(newest.digest)?.hotRestart;
  // With two running, the older one still has connections of its own and is waited for.
  const isAlone = running.length === 1;
  if (isAlone && version !== undefined && version === to.manifest.hotRestart)
    return { kind: "takeOver", epoch: newest.epoch + 1 };
  return { kind: "restart", stop: running };
}
