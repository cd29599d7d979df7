import type { RevisionUse } from "#libs/fleet";

import type { ApiObject } from "../api-types.ts";
import { projectProxy, type ProxyPod } from "../objects/project-pod.ts";

function count(pods: readonly ProxyPod[]): readonly RevisionUse[] {
  const byOwner = new Map<string, number>();
  for (const { namespace, owner } of pods) {
    const what = `${namespace}/${owner.kind}/${owner.name}`;
    byOwner.set(what, (byOwner.get(what) ?? 0) + 1);
  }
  return [...byOwner].map(([what, each]) => ({ as: "pods", what, count: each }));
}

/** Pods that the revision's istiod injected or deployed, by owner of any kind. Terminating pods count. */
export function listPods(
  pods: readonly ApiObject[],
  revision: string,
): { readonly live: readonly RevisionUse[]; readonly ended: readonly RevisionUse[] } {
  const injected = pods.flatMap((pod) => projectProxy(pod) ?? []).filter((each) => each.revision === revision);
  return {
    live: count(injected.filter(({ state }) => state === "live")),
    ended: count(injected.filter(({ state }) => state !== "live")),
  };
}
