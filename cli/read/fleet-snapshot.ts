import { isClusterName } from "#libs/events";
import type { ClusterFacts, NamespaceInventory } from "#libs/fleet";
import { nameWorkload } from "#libs/plan";
import type { StartCluster } from "#libs/simulation";
import { z } from "zod";

/** A fleet at one moment, as a file: read by `simulate --fleet FILE` and written by `--save`. */
export interface FleetSnapshot {
  readonly clusters: readonly StartCluster[];
  /** Ms from patch to arrival, by `cluster:namespace/Kind/name`; used before the distribution. */
  readonly readiness: ReadonlyMap<string, number>;
}

/** About 200,000 workloads; JSON.parse needs about five times the text in memory. */
export const snapshotLimitBytes = 128 * 1024 * 1024;

/** The number of problems that are shown. */
const shown = 5;

const texts = z.record(z.string(), z.string());
const count = z.int().min(0);
const name = z.string().min(1).max(253);

const workload = z.looseObject({
  namespace: name,
  kind: z.enum(["Deployment", "StatefulSet", "DaemonSet", "Rollout", "WorkloadGroup"]),
  name,
  uid: z.string().min(1),
  resourceVersion: z.string(),
  generation: count,
  observedGeneration: count,
  replicas: count,
  total: count,
  updated: count,
  available: count,
  deadlineExceeded: z.boolean(),
  paused: z.boolean(),
  onDelete: z.boolean(),
  selectsRevision: z.boolean(),
  annotations: texts,
  template: z.looseObject({ labels: texts, annotations: texts, hostNetwork: z.boolean() }),
  pods: z.array(z.looseObject({ revision: z.string().optional(), count, ready: count })),
});

const other = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string().optional(),
  revision: z.string(),
  live: count,
  completed: count,
  failed: count,
});

const inventory = z.looseObject({
  namespace: z.looseObject({
    name,
    uid: z.string().min(1),
    resourceVersion: z.string(),
    labels: texts,
    annotations: texts,
    terminating: z.boolean(),
  }),
  workloads: z.array(workload),
  others: z.array(other).optional(),
});

const facts = z.looseObject({
  cluster: z.string().refine(isClusterName, "a cluster is named by [a-z0-9-], 63 letters at most"),
  uid: z.string(),
  mode: z.enum(["observe", "act"]),
  revisions: z.array(z.looseObject({ name, webhook: z.boolean(), istiod: z.enum(["ready", "unready", "missing"]) })),
  tags: texts,
  stops: z.looseObject({ kubectl: z.boolean(), recorded: texts }),
  problems: z.array(z.string()),
});

const snapshot = z.looseObject({
  apiVersion: z.literal("meshroll.dev/v1"),
  kind: z.literal("FleetSnapshot"),
  clusters: z.array(z.looseObject({ facts, namespaces: z.array(inventory) })).min(1),
  readinessMs: z.record(z.string(), z.number().min(0)).optional(),
});

export type ReadSnapshot =
  | { readonly ok: true; readonly fleet: FleetSnapshot }
  /** Where, and what is wrong there: `clusters[0].facts.mode: …`. */
  | { readonly ok: false; readonly problems: readonly string[] };

function refuse(...problems: readonly string[]): ReadSnapshot {
  return { ok: false, problems };
}

function printPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./u, "");
}

function listIssues({ issues }: z.ZodError): readonly string[] {
  const lines = issues.slice(0, shown).map(({ path, message }) => {
    const where = printPath(path);
    return where === "" ? message : `${where}: ${message}`;
  });
  return issues.length > shown ? [...lines, `and ${issues.length - shown} more`] : lines;
}

function findRepeated(names: readonly string[]): string | undefined {
  return names.find((each, index) => names.indexOf(each) !== index);
}

/** What a schema cannot check: names must be unique. */
function findTwice(clusters: readonly StartCluster[], sizes: readonly number[]): string | undefined {
  const cluster = findRepeated(clusters.map((each) => each.name));
  if (cluster !== undefined) return `clusters: ${cluster} is there twice`;
  const place = clusters.findIndex(({ namespaces }, index) => namespaces.size !== sizes[index]);
  return place < 0
    ? undefined
    : `clusters[${place}].namespaces: a namespace of ${clusters[place]?.name} is there twice`;
}

function parseText(text: string): { readonly value: unknown } | { readonly why: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

/** By kind and name, as an executor publishes them: a file may have been edited by hand. */
function sortWorkloads(inventory: NamespaceInventory): NamespaceInventory {
  const workloads = inventory.workloads.toSorted((a, b) => (nameWorkload(a) < nameWorkload(b) ? -1 : 1));
  return { ...inventory, workloads };
}

/** Reads a snapshot; every problem names its place. Unknown fields of newer versions are ignored. */
export function readSnapshot(text: string): ReadSnapshot {
  const json = parseText(text);
  if ("why" in json) return refuse(`it is no JSON: ${json.why}`);
  const parsed = snapshot.safeParse(json.value);
  if (!parsed.success) return refuse(...listIssues(parsed.error));
  const clusters = parsed.data.clusters.map((each): StartCluster => {
    const [known, namespaces] = [
      each.facts as unknown as ClusterFacts,
      each.namespaces as unknown as NamespaceInventory[],
    ];
    return {
      name: known.cluster,
      facts: known,
      namespaces: new Map(namespaces.map((one) => [one.namespace.name, sortWorkloads(one)])),
    };
  });
  const twice = findTwice(
    clusters,
    parsed.data.clusters.map(({ namespaces }) => namespaces.length),
  );
  if (twice !== undefined) return refuse(twice);
  return { ok: true, fleet: { clusters, readiness: new Map(Object.entries(parsed.data.readinessMs ?? {})) } };
}

/** A snapshot as a file; `takenAt` is epoch ms. */
export function printSnapshot(clusters: Iterable<StartCluster>, takenAt: number): string {
  const listed = [...clusters].map(({ facts: known, namespaces }) => ({
    facts: known,
    namespaces: [...namespaces.values()],
  }));
  const head = { apiVersion: "meshroll.dev/v1", kind: "FleetSnapshot", takenAt: new Date(takenAt).toISOString() };
  return `${JSON.stringify({ ...head, clusters: listed })}\n`;
}
