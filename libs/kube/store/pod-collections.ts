import type { Interner } from "../objects/interner.ts";
import type { NamespaceCells } from "../objects/namespace-cells.ts";
import type { ProxyImages } from "../objects/pods/proxy-images.ts";
import { projectOther, projectPod, type ProxyPod } from "../objects/project-pod.ts";
import { type CountedPod, countPod, type WorkloadCell } from "../objects/workload-cell.ts";
import { type Collection, createCollection, type Sink } from "./collection.ts";

/** What is kept of a pod, by its UID. */
interface PodRecord extends CountedPod {
  readonly cell: WorkloadCell;
  readonly isPinned: boolean;
}

function createCounted(cells: NamespaceCells, images: ProxyImages, interner: Interner): Collection<PodRecord> {
  return createCollection<PodRecord>({
    keyOf: ({ metadata }) => metadata?.uid ?? "",
    project: (object) => {
      const facts = projectPod(object);
      if (facts === undefined) return undefined;
      const { namespace, kind, workload, ownerUid, revision, image, isPinned, ready, made, hash } = facts;
      const cell = cells.reach(namespace, `${kind}/${workload}`);
      return {
        cell,
        revision: revision === undefined ? undefined : interner.text(revision),
        ownerUid,
        image: image === undefined ? undefined : interner.text(image),
        isPinned,
        ready,
        made,
        hash: interner.text(hash),
      };
    },
    changed: (next, before) => {
      // Most updates of a pod change nothing that is counted.
      if (next !== undefined && before !== undefined && isCountedAlike(next, before)) return;
      // Count the new state before removing the old one, so that the cell does not become empty and get dropped in between.
      if (next !== undefined) countPod(next.cell, next, 1);
      if (before !== undefined) countPod(before.cell, before, -1);
      for (const cell of new Set([next?.cell, before?.cell])) if (cell !== undefined) cells.touch(cell);
      countImage(images, next, 1);
      countImage(images, before, -1);
    },
  });
}

function countImage(images: ProxyImages, pod: PodRecord | undefined, by: 1 | -1): void {
  const { revision, image, isPinned = false } = pod ?? {};
  if (revision !== undefined && image !== undefined && !isPinned) images.count(revision, image, by);
}

function isCountedAlike(a: PodRecord, b: PodRecord): boolean {
  return (
    a.cell === b.cell &&
    a.revision === b.revision &&
    a.ownerUid === b.ownerUid &&
    a.image === b.image &&
    a.ready === b.ready &&
    a.made === b.made &&
    a.hash === b.hash
  );
}

/** Injected pods that belong to no workload. */
function createOthers(cells: NamespaceCells, interner: Interner): Collection<ProxyPod> {
  return createCollection<ProxyPod>({
    keyOf: ({ metadata }) => metadata?.uid ?? "",
    project: (object) => {
      const pod = projectOther(object);
      return pod === undefined ? undefined : { ...pod, revision: interner.text(pod.revision) };
    },
    changed: (next, before) => {
      if (next !== undefined && before !== undefined && areAlike(next, before)) return;
      if (next !== undefined) cells.putOther(next, 1);
      if (before !== undefined) cells.putOther(before, -1);
    },
  });
}

/** Whether an update changes nothing that is counted. The owner may change, when an orphan is adopted. */
function areAlike(a: ProxyPod, b: ProxyPod): boolean {
  return a.state === b.state && a.revision === b.revision && JSON.stringify(a.owner) === JSON.stringify(b.owner);
}

/** The pods of a cluster: those of workloads, and injected ones without a workload. */
export function createPods(cells: NamespaceCells, images: ProxyImages, interner: Interner): readonly Sink[] {
  return [createCounted(cells, images, interner), createOthers(cells, interner)];
}
