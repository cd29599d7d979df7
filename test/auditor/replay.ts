import type { AuditedCluster, AuditedObject, AuditedWrite } from "./evidence.ts";

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

export function isSame(a: Steering, b: Steering): boolean {
  return a.label === b.label && a.injection === b.injection && a.restartedFor === b.restartedFor;
}

/** Replays one cluster's write log and answers meshroll's writes that changed what a pod would be injected with. */
export function replaySteering(cluster: AuditedCluster): readonly SteeringWrite[] {
  const objects = new Map(cluster.before.map((object) => [object.path, object]));
  const now = new Map<string, Steering>();
  const lastMove = new Map<string, { readonly before: Steering; readonly after: Steering }>();
  const found: SteeringWrite[] = [];
  for (const write of cluster.writes) {
    if (write.status >= 300) continue;
    const isWorkload = /\/(deployments|statefulsets|daemonsets)\/[^/]+$/.test(write.path);
    if (!isWorkload && !/^\/api\/v1\/namespaces\/[^/]+$/.test(write.path)) continue;
    const before = now.get(write.path) ?? start(objects.get(write.path));
    const after = apply(before, write, isWorkload);
    now.set(write.path, after);
    if (isSame(before, after) || write.fieldManager !== "meshroll") continue;
    const last = lastMove.get(write.path);
    const isUndo = last !== undefined && isSame(last.after, before) && isSame(last.before, after);
    if (isUndo) lastMove.delete(write.path);
    else lastMove.set(write.path, { before, after });
    found.push({ write, before, after, isUndo, isWorkload });
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
