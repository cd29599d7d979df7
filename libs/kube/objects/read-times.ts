import type { WorkloadTimes } from "#libs/fleet";

import type { ApiManager, ApiObject } from "../api-types.ts";
import { ourManager } from "./field-manager.ts";

/** Epoch ms; undefined for a text that is not a time. */
export function readTime(text: string | undefined): number | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isSafeInteger(at) && at >= 0 ? at : undefined;
}

function findLatest(entries: readonly ApiManager[]): number | undefined {
  const times = entries.flatMap(({ time }) => readTime(time) ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Our last write to the object itself. */
export function findWriteTime(entries: readonly ApiManager[]): number | undefined {
  return findLatest(entries.filter(({ manager, subresource }) => manager === ourManager && subresource === undefined));
}

/** The last write by a field manager other than ours, of those that own what `ownsIt` looks for. */
export function findWriteTimeOfOthers(
  entries: readonly ApiManager[],
  ownsIt: (entry: ApiManager) => boolean,
): number | undefined {
  return findLatest(
    entries.filter((each) => each.manager !== ourManager && each.subresource === undefined && ownsIt(each)),
  );
}

/** Argo's controller writes a Rollout as a whole when it numbers an update, and owns fields of its template from then on. */
const argoController = "rollouts-controller";

/** The last write to the pod template by a field manager other than ours. */
export function findDeployTime(entries: readonly ApiManager[]): number | undefined {
  const ownsTemplate = ({ manager, fieldsV1 }: ApiManager) =>
    manager !== argoController && fieldsV1?.["f:spec"]?.["f:template"] !== undefined;
  return findWriteTimeOfOthers(entries, ownsTemplate);
}

/** The last change of the status. */
function findStatusTime(entries: readonly ApiManager[] = []): number | undefined {
  return findLatest(entries.filter(({ subresource }) => subresource === "status"));
}

/** The last transition of a condition that has this reason. */
function findCondition({ status }: ApiObject, type: string, reason: string): number | undefined {
  const found = status?.conditions?.find((each) => each.type === type && each.reason === reason);
  return readTime(found?.lastUpdateTime ?? found?.lastTransitionTime);
}

function dropUnknown(times: Readonly<Record<keyof WorkloadTimes, number | undefined>>): WorkloadTimes | undefined {
  const known = Object.entries(times).filter(([, at]) => at !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** Times of a workload's writes and conditions, as far as its API server reports them. */
export function readWorkloadTimes(object: ApiObject): WorkloadTimes | undefined {
  const { managedFields = [] } = object.metadata ?? {};
  return dropUnknown({
    written: findWriteTime(managedFields),
    deployed: findDeployTime(managedFields),
    status: findStatusTime(managedFields),
    rolledOut: findCondition(object, "Progressing", "NewReplicaSetAvailable"),
    paused: findCondition(object, "Progressing", "DeploymentPaused"),
  });
}

/**
 * The earliest known time since which a PodDisruptionBudget allows no disruption; undefined while it allows one, or where
 * unknown.
 */
export function findNoDisruptionSince({ metadata, status }: ApiObject): number | undefined {
  if ((status?.disruptionsAllowed ?? 0) > 0) return undefined;
  const found = status?.conditions?.find((each) => each.type === "DisruptionAllowed" && each.status === "False");
  return readTime(found?.lastTransitionTime) ?? findStatusTime(metadata?.managedFields);
}
