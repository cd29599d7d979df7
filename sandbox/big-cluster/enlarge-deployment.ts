import { describeApp, describePodSpec } from "./app-spec.ts";
import { claimFields } from "./field-set.ts";
import type { ServedObject } from "./served-object.ts";

interface Deployment {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: object;
    readonly annotations: object;
    readonly managedFields: readonly object[];
  };
  readonly spec: {
    readonly template: {
      readonly metadata: object;
      readonly spec: { readonly containers: readonly { readonly image: string }[] };
    };
  };
  readonly status: { readonly conditions: readonly object[] };
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const CONTROLLER = {
  manager: "kube-controller-manager",
  apiVersion: "apps/v1",
  shape: "status",
  subresource: "status",
};
const CHANGED = { lastTransitionTime: "2026-11-02T09:14:52Z", lastUpdateTime: "2026-11-02T09:15:08Z" };

/** Makes a Deployment as large as one that `kubectl apply` wrote and the controller rolled out: about 6.4 KB of JSON. */
export function enlargeDeployment(object: ServedObject): ServedObject {
  const { metadata, spec, status } = object as unknown as Deployment;
  const { name, namespace, labels } = metadata;
  const { template } = spec;
  const image = template.spec.containers[0]?.image ?? "";
  const podSpec = { ...template.spec, containers: [describeApp(name, namespace, image)], ...describePodSpec(name) };
  const largeSpec = { ...spec, revisionHistoryLimit: 10, template: { ...template, spec: podSpec } };
  const applied = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { annotations: {}, labels, name, namespace },
    // Without the API server's defaults.
    spec: { replicas: 3, template: { spec: { containers: podSpec.containers } } },
  };
  const largeStatus = {
    ...status,
    conditions: status.conditions.map((condition) => ({ ...condition, ...CHANGED, message: explain(name) })),
  };
  return {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: {
        ...metadata.annotations,
        "deployment.kubernetes.io/revision": "14",
        [LAST_APPLIED]: `${JSON.stringify(applied)}\n`,
      },
      // The model's own entries stay, as they tell who wrote the labels.
      managedFields: [
        ...metadata.managedFields,
        claimFields(
          { manager: "kubectl-client-side-apply", apiVersion: "apps/v1", shape: name },
          { spec: { template: { spec: podSpec } } },
        ),
        claimFields(CONTROLLER, { status: largeStatus }),
      ],
    },
    spec: largeSpec,
    status: largeStatus,
  };
}

function explain(name: string): string {
  return `ReplicaSet "${name}-7c9d8b6f45" has successfully progressed.`;
}
