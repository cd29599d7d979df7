import { renderManagedFields, renderTime } from "../objects/managed-fields.ts";
import type { ApiObject } from "../objects/messages.ts";
import type { ModelVmEntry, ModelVmGroup } from "../objects/objects.ts";

const apiVersion = "networking.istio.io/v1";

function renderMetadata({ name, uid, rv, createdAt, namespace, labels }: ModelVmGroup | ModelVmEntry) {
  return {
    name,
    namespace: namespace.name,
    uid,
    resourceVersion: String(rv),
    // Istio's definitions count generations of the spec, and nothing of ours changes that.
    generation: 1,
    creationTimestamp: renderTime(createdAt),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  };
}

/** A WorkloadGroup as the API server sends it. */
function renderVmGroup(group: ModelVmGroup): ApiObject {
  const { annotations, managers, name } = group;
  return {
    apiVersion,
    kind: "WorkloadGroup",
    metadata: {
      ...renderMetadata(group),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      managedFields: renderManagedFields(managers, apiVersion),
    },
    spec: { metadata: { labels: { app: name } }, template: { serviceAccount: name } },
  };
}

function renderHealth({ isHealthy, probedAt }: ModelVmEntry): object {
  if (isHealthy === undefined) return {};
  const at = renderTime(probedAt);
  const condition = {
    type: "Healthy",
    status: isHealthy ? "True" : "False",
    lastProbeTime: at,
    lastTransitionTime: at,
  };
  return { status: { conditions: [condition] } };
}

/** A WorkloadEntry, as istiod writes one for a VM that registers itself. */
function renderVmEntry(entry: ModelVmEntry): ApiObject {
  const { group, address } = entry;
  return {
    apiVersion,
    kind: "WorkloadEntry",
    metadata: {
      ...renderMetadata(entry),
      ...(group === undefined ? {} : { annotations: { "istio.io/autoRegistrationGroup": group } }),
    },
    spec: { address },
    ...renderHealth(entry),
  };
}

export function renderVms(object: ModelVmGroup | ModelVmEntry): ApiObject {
  return object.resource === "workloadgroups" ? renderVmGroup(object) : renderVmEntry(object);
}
