import type { ApiObject } from "../objects/messages.ts";
import { renderManagedFields, renderTime } from "../objects/managed-fields.ts";
import type {
  ModelBudget,
  ModelConfigMap,
  ModelNamespace,
  ModelObject,
  ModelVmEntry,
  ModelVmGroup,
  ModelWebhook,
  ModelWorkload,
} from "../objects/objects.ts";
import { renderLoosePod } from "./render-loose-pod.ts";
import { renderPod } from "./render-pod.ts";
import { renderVms } from "./render-vms.ts";
import { renderWorkload } from "./render-workload.ts";

type VmObject = ModelVmGroup | ModelVmEntry;

function isOfVms(object: ModelObject): object is VmObject {
  return object.resource === "workloadgroups" || object.resource === "workloadentries";
}

function isWorkload(object: ModelObject): object is ModelWorkload {
  return "sets" in object;
}

/** The object's JSON as of now. */
export function renderObject(object: ModelObject): ApiObject {
  if (isWorkload(object)) return renderWorkload(object);
  return isOfVms(object) ? renderVms(object) : renderKubernetes(object);
}

function renderKubernetes(object: Exclude<ModelObject, VmObject | ModelWorkload>): ApiObject {
  switch (object.resource) {
    case "namespaces":
      return renderNamespace(object);
    case "pods":
      return "workload" in object ? renderPod(object) : renderLoosePod(object);
    case "poddisruptionbudgets":
      return renderBudget(object);
    case "mutatingwebhookconfigurations":
      return renderWebhook(object);
    case "configmaps":
      return renderConfigMap(object);
  }
}

function renderNamespace(namespace: ModelNamespace): ApiObject {
  const { name, terminating, createdAt } = namespace;
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      ...renderMetadata(namespace),
      ...(terminating ? { deletionTimestamp: renderTime(createdAt) } : {}),
      labels: { ...namespace.labels, "kubernetes.io/metadata.name": name },
      annotations: namespace.annotations,
      managedFields: renderManagedFields(namespace.managers, "v1"),
    },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: terminating ? "Terminating" : "Active" },
  };
}

function renderBudget(budget: ModelBudget): ApiObject {
  const { minAvailable, maxUnavailable, matchLabels, namespace, disruptionsAllowed } = budget;
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { ...renderMetadata(budget), namespace: namespace.name, generation: 1 },
    spec: {
      ...(minAvailable === undefined ? {} : { minAvailable }),
      ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
      selector: { matchLabels },
    },
    status: { disruptionsAllowed, observedGeneration: 1, conditions: [renderAllowance(budget)] },
  };
}

/** Its last change of status is kept; its reason is not read. */
function renderAllowance({ disruptionsAllowed, allowanceAt }: ModelBudget): object {
  const [status, reason] = disruptionsAllowed > 0 ? ["True", "SufficientPods"] : ["False", "InsufficientPods"];
  return { type: "DisruptionAllowed", status, reason, lastTransitionTime: renderTime(allowanceAt) };
}

function renderWebhook(webhook: ModelWebhook): ApiObject {
  const { revision, elsewhere, authority, failurePolicy = "Fail" } = webhook;
  const caBundle = Buffer.from(authority).toString("base64");
  const url = `https://istiod-${revision}.mgmt.example:15017/inject`;
  const service = { name: `istiod-${revision}`, namespace: "istio-system", path: "/inject", port: 443 };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { ...renderMetadata(webhook), labels: webhook.labels },
    webhooks: webhook.rules.map(({ name, namespaces, objects }) => ({
      name,
      admissionReviewVersions: ["v1"],
      clientConfig: { caBundle, ...(elsewhere === "url" ? { url } : { service }) },
      failurePolicy,
      namespaceSelector: namespaces,
      objectSelector: objects,
      reinvocationPolicy: "Never",
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"], scope: "*" }],
      sideEffects: "None",
      timeoutSeconds: 10,
    })),
  };
}

function renderConfigMap(map: ModelConfigMap): ApiObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...renderMetadata(map), namespace: map.namespace.name },
    data: map.data,
  };
}

function renderMetadata({ name, uid, rv, createdAt }: { name: string; uid: string; rv: number; createdAt: number }) {
  return { name, uid, resourceVersion: String(rv), creationTimestamp: renderTime(createdAt) };
}
