import type { KubeModel } from "#fakes/kube";

import type { AuditedPods } from "../evidence.ts";
import { listObjects, nameOwner, type RawObject, readRevision } from "./read-objects.ts";

const pods = "/api/v1/pods";

/** Records which revisions the pods of each workload run, from now on. The first entries are the present state. */
export function recordPods(model: KubeModel): { readonly seen: AuditedPods[]; readonly stop: () => void } {
  const seen: AuditedPods[] = [];
  const counts = new Map<string, Map<string, number>>();
  const change = (pod: RawObject, by: number) => {
    const path = nameOwner(pod);
    const own = counts.get(path) ?? new Map<string, number>();
    counts.set(path, own);
    const revision = readRevision(pod);
    const before = own.get(revision) ?? 0;
    if (before + by <= 0) own.delete(revision);
    else own.set(revision, before + by);
    const isNews = before === 0 || before + by <= 0;
    if (isNews) seen.push({ at: model.clock.now(), path, revisions: [...own.keys()].toSorted() });
  };
  for (const pod of listObjects(model, pods)) change(pod, 1);
  const { metadata } = model.api.bookmark(pods).object as RawObject;
  const stop = model.api.watch(pods, metadata.resourceVersion, ({ type, object }) => {
    if (type === "ADDED") change(object as RawObject, 1);
    if (type === "DELETED") change(object as RawObject, -1);
  });
  return { seen, stop };
}
