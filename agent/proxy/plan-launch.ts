import type { Manifest } from "#libs/artifact";

import type { ProxyProcess } from "./port.ts";

/** How the proxy of a slot comes to run. */
export type LaunchPlan =
  /** It does already. */
  | { readonly kind: "runs" }
  /** Takes over the listeners of the newest one: they never close. */
  | { readonly kind: "takeOver"; readonly epoch: number }
  /** All that run are drained and ended first. */
  | { readonly kind: "restart"; readonly stop: readonly ProxyProcess[] };

/**
 * Chooses how a slot's proxy is started. `running`: oldest first; `manifests`: what is known of their slots. A proxy takes over only
 * where both say the same hot restart version, as Envoy itself requires.
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
  // Of three at once, the oldest is the one that still has connections of its own: it is waited for.
  const isAlone = running.length === 1;
  if (isAlone && version !== undefined && version === to.manifest.hotRestart)
    return { kind: "takeOver", epoch: newest.epoch + 1 };
  return { kind: "restart", stop: running };
}
