import type { AuditedCluster, AuditedObject, AuditedWrite, CreatedObject } from "../evidence/evidence.ts";

const revisionLabel = "istio.io/rev";
const injectionLabel = "istio-injection";
const restartedFor = "meshroll.dev/restarted-for";

/** The fields by which injection is steered, as one object had them at one moment. */
export interface Steering {
  readonly label: string | undefined;
  readonly injection: string | undefined;
  readonly restartedFor: string | undefined;
}

/** One write of meshroll's that changed steering: a move, or an undo of one. */
export interface SteeringWrite {
  readonly write: AuditedWrite;
  readonly before: Steering;
  readonly after: Steering;
  /** It takes back meshroll's own last write to this object, exactly. */
  readonly isUndo: boolean;
  readonly isWorkload: boolean;
  /** Names the object: what was deleted and made again is another one at the same path. */
  readonly identity: string;
}

type Patch = Readonly<Record<string, unknown>>;

function dig(body: unknown, ...path: readonly string[]): Patch {
  let value = body;
  for (const key of path) value = typeof value === "object" && value !== null ? (value as Patch)[key] : undefined;
  return typeof value === "object" && value !== null ? (value as Patch) : {};
}

function overlay(current: string | undefined, patch: Patch, key: string): string | undefined {
  if (!(key in patch)) return current;
  const value = patch[key];
  return typeof value === "string" ? value : undefined;
}

function start(object: AuditedObject | undefined): Steering {
  const labels = object?.template?.labels ?? object?.labels ?? {};
  return {
    label: labels[revisionLabel],
    injection: labels[injectionLabel],
    restartedFor: object?.template?.annotations[restartedFor],
  };
}

function apply(steering: Steering, write: AuditedWrite, isWorkload: boolean): Steering {
  const root = isWorkload ? ["spec", "template", "metadata"] : ["metadata"];
  const labels = dig(write.body, ...root, "labels");
  return {
    label: overlay(steering.label, labels, revisionLabel),
    injection: overlay(steering.injection, labels, injectionLabel),
    restartedFor: overlay(steering.restartedFor, dig(write.body, ...root, "annotations"), restartedFor),
  };
}

function isSame(a: Steering, b: Steering): boolean {
  return a.label === b.label && a.injection === b.injection && a.restartedFor === b.restartedFor;
}

/** Is it a write that could change steering, and of which kind of object? */
function readKind({ path, status }: AuditedWrite): "workload" | "namespace" | undefined {
  if (status >= 300) return undefined;
  if (/\/(deployments|statefulsets|daemonsets)\/[^/]+$/.test(path)) return "workload";
  return /^\/api\/v1\/namespaces\/[^/]+$/.test(path) ? "namespace" : undefined;
}

interface Moved {
  readonly before: Steering;
  readonly after: Steering;
}

/** True when the write puts back exactly what the last one of ours changed. */
function takesBack(last: Moved | undefined, { before, after }: Moved): boolean {
  return last !== undefined && isSame(last.after, before) && isSame(last.before, after);
}

/** The objects of a cluster as they come and go; ask with growing versions. */
export function followObjects(cluster: AuditedCluster, onCreated: (object: CreatedObject) => void = () => undefined) {
  const objects = new Map(cluster.before.map((object) => [object.path, object]));
  const coming = (cluster.created ?? []).toSorted((a, b) => a.version - b.version);
  return (path: string, version: number): AuditedObject | undefined => {
    while ((coming[0]?.version ?? Number.POSITIVE_INFINITY) <= version) {
      const created = coming.shift();
      if (created === undefined) break;
      objects.set(created.path, created);
      onCreated(created);
    }
    return objects.get(path);
  };
}

/** Replays one cluster's write log and answers meshroll's writes that changed what a pod would be injected with. */
export function replaySteering(cluster: AuditedCluster): readonly SteeringWrite[] {
  const now = new Map<string, Steering>();
  const lastMove = new Map<string, Moved>();
  const objectAt = followObjects(cluster, ({ path }) => {
    now.delete(path);
    lastMove.delete(path);
  });
  const found: SteeringWrite[] = [];
  for (const write of cluster.writes) {
    const kind = readKind(write);
    if (kind === undefined) continue;
    const object = objectAt(write.path, write.version);
    const before = now.get(write.path) ?? start(object);
    const after = apply(before, write, kind === "workload");
    now.set(write.path, after);
    if (isSame(before, after) || write.fieldManager !== "meshroll") continue;
    const isUndo = takesBack(lastMove.get(write.path), { before, after });
    if (isUndo) lastMove.delete(write.path);
    else lastMove.set(write.path, { before, after });
    const identity = `${write.path} ${object?.uid ?? ""}`;
    found.push({ write, before, after, isUndo, isWorkload: kind === "workload", identity });
  }
  return found;
}

/** The revision that a steering asks for, where it names one itself. */
export function readTarget(write: SteeringWrite): string | undefined {
  const changed = write.after.restartedFor !== write.before.restartedFor ? write.after.restartedFor : write.after.label;
  return changed?.replace(/#\d+$/, "");
}

export function readNamespace(path: string): string {
  return path.split("/namespaces/")[1]?.split("/")[0] ?? "";
}

/** The mark that each move leaves on the object: `<run> <revision>`, and `#n` for a later try. */
export interface RunMark {
  readonly run: string;
  readonly attempt: number;
}

/** Undefined for a write that carries none: an undo. */
export function readRunMark({ body }: AuditedWrite): RunMark | undefined {
  const text = dig(body, "metadata", "annotations")["meshroll.dev/run"];
  if (typeof text !== "string") return undefined;
  return { run: text.split(" ")[0] ?? "", attempt: Number(/#(\d+)$/.exec(text)?.[1] ?? 1) };
}

const kinds: Readonly<Record<string, string>> = {
  deployments: "Deployment",
  statefulsets: "StatefulSet",
  daemonsets: "DaemonSet",
};

/** `cluster:namespace/Kind/name`, as people and the ledger name a workload. */
export function nameObject(cluster: string, path: string): string {
  const [, namespace = "", resource = "", name = ""] = /\/namespaces\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  return `${cluster}:${namespace}/${kinds[resource] ?? resource}/${name}`;
}
