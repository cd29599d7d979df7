import type { LoosePod } from "../objects/loose-pod.ts";
import { renderTime } from "../objects/managed-fields.ts";
import type { ApiObject } from "../objects/messages.ts";
import { renderInjection, renderProxy } from "./render-pod.ts";

export function renderLoosePod(pod: LoosePod): ApiObject {
  const { name, uid, rv, createdAt, namespace, labels, annotations, owner, revision, phase, deleted } = pod;
  const references = owner === undefined ? [] : [{ controller: true, blockOwnerDeletion: true, ...owner }];
  const ready = phase === "Running" ? "True" : "False";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: namespace.name,
      uid,
      resourceVersion: String(rv),
      creationTimestamp: renderTime(createdAt),
      ...(deleted ? { deletionTimestamp: renderTime(createdAt) } : {}),
      labels,
      annotations: { ...annotations, ...renderInjection(revision) },
      ...(references.length === 0 ? {} : { ownerReferences: references }),
    },
    spec: {
      containers: [{ name: "app", image: "registry.example/app:1" }],
      ...(revision === undefined ? {} : { initContainers: [renderProxy(revision)] }),
    },
    status: { phase, conditions: [{ type: "Ready", status: ready }] },
  };
}
