import type { WorkloadTimes } from "#libs/fleet";

import type { ApiManager, ApiObject } from "../api-types.ts";
import { ourManager } from "./field-manager.ts";

/** Epoch ms; undefined for what is no time. */
export function readTime(text: string | undefined): number | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isSafeInteger(at) && at >= 0 ? at : undefined;
}

function findLatest(entries: readonly ApiManager[]): number | undefined {
  const times = entries.flatMap(({ time }) => readTime(time) ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** When another manager last wrote the object, of those that own a part of its pod template. */
export function findDeployTime(entries: readonly ApiManager[]): number | undefined {
  return findLatest(
    entries.filter(({ manager, subresource, fieldsV1 }) => {
      return manager !== ourManager && subresource === undefined && fieldsV1?.["f:spec"]?.["f:template"] !== undefined;
    }),
  );
}

/** When the status was changed last. */
function findStatusTime(entries: readonly ApiManager[] = []): number | undefined {
  return findLatest(entries.filter(({ subresource }) => subresource === "status"));
}

/** When the condition last became what it is. */
function findCondition({ status }: ApiObject, type: string, reason: string): number | undefined {
  const found = status?.conditions?.find((each) => each.type === type && each.reason === reason);
  return readTime(found?.lastUpdateTime ?? found?.lastTransitionTime);
}

function dropUnknown(times: Readonly<Record<keyof WorkloadTimes, number | undefined>>): WorkloadTimes | undefined {
  const known = Object.entries(times).filter(([, at]) => at !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** When what happened to a workload; undefined where its API server says nothing. */
export function readWorkloadTimes(object: ApiObject): WorkloadTimes | undefined {
  const { managedFields = [] } = object.metadata ?? {};
  return dropUnknown({
    written: findLatest(managedFields.filter((each) => each.manager === ourManager && each.subresource === undefined)),
    deployed: findDeployTime(managedFields),
    status: findStatusTime(managedFields),
    rolledOut: findCondition(object, "Progressing", "NewReplicaSetAvailable"),
    paused: findCondition(object, "Progressing", "DeploymentPaused"),
  });
}

/** Since when a PodDisruptionBudget allows nothing, at the latest; undefined while it allows something, or where unknown. */
export function findNoDisruptionSince({ metadata, status }: ApiObject): number | undefined {
  if ((status?.disruptionsAllowed ?? 0) > 0) return undefined;
  const found = status?.conditions?.find((each) => each.type === "DisruptionAllowed" && each.status === "False");
  return readTime(found?.lastTransitionTime) ?? findStatusTime(metadata?.managedFields);
}
