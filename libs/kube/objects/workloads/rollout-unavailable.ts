import type { ApiAmount, ApiObject, PodKind } from "../../api-types.ts";

/** A count, or a percentage of the replicas; undefined for anything else. */
function resolveAmount(amount: ApiAmount, replicas: number, round: (value: number) => number): number | undefined {
  if (typeof amount === "number") return Number.isSafeInteger(amount) && amount >= 0 ? amount : undefined;
  const percent = /^(\d{1,6})%$/u.exec(amount)?.[1];
  return percent === undefined ? undefined : round((Number(percent) * replicas) / 100);
}

interface Amounts {
  readonly maxSurge: ApiAmount;
  readonly maxUnavailable: ApiAmount;
}

/** Where percentages round to no pod more and no pod less, the controllers take one away. */
function countMissing({ maxSurge, maxUnavailable }: Amounts, replicas: number, round: (value: number) => number) {
  const surge = resolveAmount(maxSurge, replicas, Math.ceil);
  const unavailable = resolveAmount(maxUnavailable, replicas, round);
  if (surge === undefined || unavailable === undefined) return undefined;
  return surge === 0 && unavailable === 0 ? 1 : unavailable;
}

type Spec = NonNullable<ApiObject["spec"]>;
type Count = (spec: Spec, replicas: number) => number | undefined;

const countDeployment: Count = ({ strategy }, replicas) => {
  if (strategy?.type === "Recreate") return replicas;
  const { maxSurge = "25%", maxUnavailable = "25%" } = strategy?.rollingUpdate ?? {};
  return countMissing({ maxSurge, maxUnavailable }, replicas, Math.floor);
};

const countDaemonSet: Count = ({ updateStrategy }, replicas) => {
  const { maxSurge = 0, maxUnavailable = 1 } = updateStrategy?.rollingUpdate ?? {};
  return countMissing({ maxSurge, maxUnavailable }, replicas, Math.ceil);
};

const countStatefulSet: Count = ({ updateStrategy }, replicas) => {
  const most = resolveAmount(updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, replicas, Math.floor);
  return most === undefined ? undefined : Math.max(1, most);
};

/** Argo reads a text without a percent sign as a percentage too. */
function readArgoAmount(amount: ApiAmount): ApiAmount {
  return typeof amount === "string" && /^\d+$/u.test(amount) ? `${amount}%` : amount;
}

/** A blue-green update, and a canary that shifts traffic, keep the old pods until the new ones have taken over. */
const countRollout: Count = ({ strategy }, replicas) => {
  const { canary } = strategy ?? {};
  if (canary === undefined || canary.trafficRouting !== undefined) return 0;
  const { maxSurge = "25%", maxUnavailable = "25%" } = canary;
  const amounts = { maxSurge: readArgoAmount(maxSurge), maxUnavailable: readArgoAmount(maxUnavailable) };
  return countMissing(amounts, replicas, Math.floor);
};

const counts: Readonly<Record<PodKind, Count>> = {
  Deployment: countDeployment,
  DaemonSet: countDaemonSet,
  StatefulSet: countStatefulSet,
  Rollout: countRollout,
};

/**
 * How many pods a rollout takes away before others are ready, by the rules of its controller; undefined where its strategy is
 * not known.
 */
export function readRolloutUnavailable(kind: PodKind, object: ApiObject, replicas: number): number | undefined {
  const { spec = {} } = object;
  // With `OnDelete` a changed template restarts nothing.
  const count = spec.updateStrategy?.type === "OnDelete" ? 0 : counts[kind](spec, replicas);
  return count === undefined ? undefined : Math.min(count, replicas);
}
