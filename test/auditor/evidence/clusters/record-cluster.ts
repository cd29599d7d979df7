import type { KubeModel, WatchEvent } from "#fakes/kube";

import type { AuditedCluster, AuditedObject, AuditedStatus, CreatedObject, DeletedObject } from "../evidence.ts";
import {
  describeWorkload,
  isAvailable,
  isSettled,
  nameCollection,
  nameWorkload,
  type RawObject,
  readObjects,
  workloadResources,
} from "./read-objects.ts";
import { recordKubectlStops } from "./record-kubectl-stops.ts";
import { recordPods } from "./record-pods.ts";

/** Records everything about one sandbox cluster from now on; `take` returns what was recorded so far. */
export interface ClusterRecorder {
  take(): AuditedCluster;
  stop(): void;
}

interface Kept {
  readonly statuses: AuditedStatus[];
  readonly created: CreatedObject[];
  readonly deleted: DeletedObject[];
  /** Objects by path, as the watches last reported them: a server that is down cannot be asked at the end. */
  readonly objects: Map<string, AuditedObject>;
}

function readVersion({ metadata }: RawObject): number {
  return Number(metadata.resourceVersion);
}

function keepNewest({ objects }: Kept, type: WatchEvent["type"], object: AuditedObject): void {
  if (type === "DELETED") objects.delete(object.path);
  else objects.set(object.path, object);
}

function keepNamespace(kept: Kept, at: number, { type, object }: WatchEvent): void {
  const namespace = object as RawObject;
  const { name, labels = {}, annotations = {} } = namespace.metadata;
  const place = { at, version: readVersion(namespace), path: `/api/v1/namespaces/${name}` };
  const described: AuditedObject = { path: place.path, labels, annotations, injectedPods: 0 };
  if (type === "ADDED") kept.created.push({ ...described, ...place });
  keepNewest(kept, type, described);
  if (type === "DELETED") kept.deleted.push(place);
}

function keepWorkload(kept: Kept, at: number, resource: string, { type, object }: WatchEvent): void {
  const workload = object as RawObject;
  const place = { at, version: readVersion(workload), path: nameWorkload(resource, workload) };
  const described = describeWorkload(resource, workload, "unknown");
  if (type === "ADDED") kept.created.push({ ...described, ...place });
  keepNewest(kept, type, described);
  if (type === "DELETED") kept.deleted.push(place);
  // A deleted workload does not roll any more.
  const isGone = type === "DELETED";
  if (type === "MODIFIED" || isGone) {
    const settled = isGone || isSettled(workload, resource);
    kept.statuses.push({ ...place, settled, available: isGone || isAvailable(workload) });
  }
}

/**
 * Starts to record a cluster, only through its API: the first objects, every write, every change of a workload's status and
 * pods.
 */
export function recordCluster(name: string, model: KubeModel): ClusterRecorder {
  const before = readObjects(model);
  const firstWrite = model.writes.length;
  const objects = new Map(before.map((object) => [object.path, object]));
  const kept: Kept = { statuses: [], created: [], deleted: [], objects };
  const pods = recordPods(model);
  const kubectl = recordKubectlStops(model);
  const watch = (path: string, keep: (event: WatchEvent) => void) => {
    const { metadata } = model.api.bookmark(path).object as RawObject;
    return model.api.watch(path, metadata.resourceVersion, keep);
  };
  const stops = [
    pods.stop,
    kubectl.stop,
    watch("/api/v1/namespaces", (event) => keepNamespace(kept, model.clock.now(), event)),
    ...workloadResources.map((resource) =>
      watch(nameCollection(resource), (event) => keepWorkload(kept, model.clock.now(), resource, event)),
    ),
  ];
  return {
    take: () => ({
      name,
      before,
      writes: model.writes.slice(firstWrite).map((write) => ({ ...write, version: Number(write.after ?? 0) })),
      statuses: [...kept.statuses],
      created: [...kept.created],
      deleted: [...kept.deleted],
      pods: [...pods.seen],
      kubectlStops: kubectl.take(),
      after: [...objects.values()],
    }),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
