import type { KubeModel } from "#fakes/kube";

import type { AuditedCluster, AuditedObject, AuditedStatus, CreatedObject } from "./evidence.ts";

interface RawObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
  };
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: {
      readonly metadata?: { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> };
      readonly spec?: { readonly hostNetwork?: boolean };
    };
  };
  readonly status?: Record<string, number | undefined>;
}

const resources = ["deployments", "statefulsets", "daemonsets"] as const;

function read(model: KubeModel, path: string): readonly RawObject[] {
  const answer = model.api.handle({ method: "GET", path, query: new URLSearchParams(), user: "auditor" });
  if (answer === "lost" || answer.status !== 200) throw new Error(`the auditor cannot read ${path}`);
  return (answer.body as { items: RawObject[] }).items;
}

function nameWorkload(resource: string, object: RawObject): string {
  return `/apis/apps/v1/namespaces/${object.metadata.namespace}/${resource}/${object.metadata.name}`;
}

/** Pods with a sidecar by `namespace/owner`; a ReplicaSet's name is its Deployment's and a hash. */
function countInjected(model: KubeModel): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { metadata } of read(model, "/api/v1/pods")) {
    if (metadata.annotations?.["sidecar.istio.io/status"] === undefined) continue;
    const owner = metadata.ownerReferences?.[0];
    const name = owner?.kind === "ReplicaSet" ? owner.name.replace(/-[^-]+$/, "") : owner?.name;
    const key = `${metadata.namespace}/${name}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function readTemplate({ spec }: RawObject): NonNullable<AuditedObject["template"]> {
  const { metadata, spec: pod } = spec?.template ?? {};
  return {
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? {},
    hostNetwork: pod?.hostNetwork ?? false,
  };
}

function describeWorkload(
  resource: string,
  object: RawObject,
  injectedPods: AuditedObject["injectedPods"],
): AuditedObject {
  const { uid, labels = {} } = object.metadata;
  const path = nameWorkload(resource, object);
  return { path, ...(uid === undefined ? {} : { uid }), labels, template: readTemplate(object), injectedPods };
}

function readWorkloads(model: KubeModel): readonly AuditedObject[] {
  const injected = countInjected(model);
  return resources.flatMap((resource) =>
    read(model, `/apis/apps/v1/${resource}`).map((object) => {
      const { namespace, name } = object.metadata;
      return describeWorkload(resource, object, injected.get(`${namespace}/${name}`) ?? 0);
    }),
  );
}

/** The first of these counters that the kind of workload has. */
function count(status: RawObject["status"], ...names: readonly string[]): number {
  return names.map((name) => status?.[name]).find((value) => value !== undefined) ?? 0;
}

function isSettled({ metadata, spec, status }: RawObject): boolean {
  const wanted = spec?.replicas ?? count(status, "desiredNumberScheduled");
  const updated = count(status, "updatedReplicas", "updatedNumberScheduled");
  const available = count(status, "availableReplicas", "numberAvailable");
  const total = count(status, "replicas", "currentNumberScheduled");
  const isObserved = count(status, "observedGeneration") >= (metadata.generation ?? 0);
  return isObserved && updated >= wanted && available >= wanted && total <= updated;
}

/** Everything about one sandbox cluster from now on; `take` answers what was recorded so far. */
export interface ClusterRecorder {
  take(): AuditedCluster;
  stop(): void;
}

/** Starts to record a cluster, by its API alone: what was there, every write, every change of a workload's status. */
export function recordCluster(name: string, model: KubeModel): ClusterRecorder {
  const namespaces = read(model, "/api/v1/namespaces").map((object) => ({
    path: `/api/v1/namespaces/${object.metadata.name}`,
    labels: object.metadata.labels ?? {},
    injectedPods: 0,
  }));
  const before = [...namespaces, ...readWorkloads(model)];
  const firstWrite = model.writes.length;
  const statuses: AuditedStatus[] = [];
  const created: CreatedObject[] = [];
  const stops = resources.map((resource) => {
    const query = `/apis/apps/v1/${resource}`;
    const version = model.api.bookmark(query).object as { metadata: { resourceVersion: string } };
    return model.api.watch(query, version.metadata.resourceVersion, ({ type, object }) => {
      const workload = object as RawObject;
      if (type === "ADDED") {
        const version = Number(workload.metadata.resourceVersion);
        created.push({ ...describeWorkload(resource, workload, "unknown"), version });
      }
      if (type !== "MODIFIED" && type !== "DELETED") return;
      // What is gone rolls no more.
      const settled = type === "DELETED" || isSettled(workload);
      statuses.push({
        at: model.clock.now(),
        version: Number(workload.metadata.resourceVersion),
        path: nameWorkload(resource, workload),
        settled,
      });
    });
  });
  return {
    take: () => ({
      name,
      before,
      writes: model.writes.slice(firstWrite).map((write) => ({ ...write, version: Number(write.after ?? 0) })),
      statuses: [...statuses],
      created: [...created],
    }),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
