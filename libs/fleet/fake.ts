import type { ClusterFacts, Namespace, Workload } from "./facts.ts";

/** The fields that a test sets. All others are those of a healthy, settled Deployment of three outside the mesh. */
export type WorkloadSketch = Partial<Omit<Workload, "template">> & {
  readonly labels?: Readonly<Record<string, string>>;
  readonly templateAnnotations?: Readonly<Record<string, string>>;
  readonly hostNetwork?: boolean;
};

/** A workload for tests. Its pods do not follow from other fields: the sketch gives them. */
export function makeWorkload(sketch: WorkloadSketch = {}): Workload {
  const { labels = {}, templateAnnotations = {}, hostNetwork = false, ...facts } = sketch;
  const replicas = facts.replicas ?? 3;
  return {
    namespace: "shop",
    kind: "Deployment",
    name: "cart",
    uid: "uid-cart",
    resourceVersion: "100",
    generation: 1,
    observedGeneration: facts.generation ?? 1,
    replicas,
    total: replicas,
    updated: replicas,
    available: replicas,
    deadlineExceeded: false,
    paused: false,
    onDelete: false,
    selectsRevision: false,
    annotations: {},
    pods: [],
    ...facts,
    template: { labels, annotations: templateAnnotations, hostNetwork },
  };
}

/** A workload whose pods all run a revision. */
export function makeMeshWorkload(revision: string, sketch: WorkloadSketch = {}): Workload {
  const count = sketch.replicas ?? 3;
  return makeWorkload({ pods: count === 0 ? [] : [{ revision, count, ready: count }], ...sketch });
}

/** A namespace for tests. */
export function makeNamespace(sketch: Partial<Namespace> = {}): Namespace {
  return {
    name: "shop",
    uid: "uid-shop",
    resourceVersion: "50",
    labels: {},
    annotations: {},
    terminating: false,
    ...sketch,
  };
}

/** A cluster's revisions, all with a webhook and a ready istiod, and its tags. */
export function makeControlPlane(
  revisions: readonly string[],
  tags: Readonly<Record<string, string>> = {},
): Pick<ClusterFacts, "revisions" | "tags"> {
  return { revisions: revisions.map((name) => ({ name, webhook: true, istiod: "ready" as const })), tags };
}
