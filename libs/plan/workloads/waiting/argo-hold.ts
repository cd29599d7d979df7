import { awaitsPromotion, isDegraded, isRollingByUs, type Workload } from "#libs/fleet";

import type { OwnersWait } from "./endless.ts";

/**
 * Why an Argo Rollout waits for a person: in its owner's update, or in ours towards the desired revision (`isWrittenFor`). One of ours
 * towards another revision blocks nothing: the next write takes it back.
 */
export function findArgoHold(workload: Workload, isWrittenFor: boolean): OwnersWait | undefined {
  const { name, namespace, argo } = workload;
  if (argo === undefined) return undefined;
  const isOurs = isRollingByUs(workload);
  if (isDegraded(workload) && !isOurs) return { code: "RolloutDegraded", name, namespace, why: argo.degraded ?? "" };
  if (!awaitsPromotion(workload) || (isOurs && !isWrittenFor)) return undefined;
  return { code: "AwaitsPromotion", name, namespace, ...argo.steps };
}
