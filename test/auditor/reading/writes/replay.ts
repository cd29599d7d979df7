import type { AuditedCluster, AuditedObject, AuditedWrite, CreatedObject } from "../../evidence/evidence.ts";
import { groupPath } from "../../evidence/vm-groups.ts";
import { workloadPath } from "../../evidence/workload-path.ts";
import { digPart } from "../files/dig.ts";
import { isDone, isOurs } from "./hands.ts";
import { applyWrite, type ObjectState, startState } from "./object-state.ts";

const revisionLabel = "istio.io/rev";
const injectionLabel = "istio-injection";
const restartedFor = "meshroll.dev/restarted-for";

/** The fields that steer injection, as one object had them at one moment. */
export interface Steering {
  readonly label: string | undefined;
  readonly injection: string | undefined;
  readonly restartedFor: string | undefined;
}

/** One write that the server carried out, with the object before and after it. */
export interface ReplayedWrite {
  readonly write: AuditedWrite;
  readonly was: ObjectState;
  readonly is: ObjectState;
  readonly isWorkload: boolean;
  /** Of a workload with pods: the revision that the label of its namespace asks for at that moment. */
  readonly fromNamespace: string | undefined;
  /** Identifies the object: one that was deleted and created again is another one at the same path. */
  readonly identity: string;
}

/** One write of meshroll's that changed steering: a move, or an undo of one. */
export interface SteeringWrite extends ReplayedWrite {
  readonly before: Steering;
  readonly after: Steering;
  /** It names no run, and undoes exactly meshroll's own last write to this object. */
  readonly isUndo: boolean;
}

function readSteering({ labels, templateLabels, templateAnnotations }: ObjectState, isWorkload: boolean): Steering {
  const steering = isWorkload ? templateLabels : labels;
  return {
    label: steering[revisionLabel],
    injection: steering[injectionLabel],
    restartedFor: isWorkload ? templateAnnotations[restartedFor] : undefined,
  };
}

function isSame(a: Steering, b: Steering): boolean {
  return a.label === b.label && a.injection === b.injection && a.restartedFor === b.restartedFor;
}

/** The kind of object whose steering the write changed; undefined for any other write. */
function readKind(write: AuditedWrite): "workload" | "group" | "namespace" | undefined {
  if (!isDone(write) || write.verb !== "patch") return undefined;
  if (workloadPath.test(write.path)) return "workload";
  if (groupPath.test(write.path)) return "group";
  return /^\/api\/v1\/namespaces\/[^/]+$/u.test(write.path) ? "namespace" : undefined;
}

interface Moved {
  readonly before: Steering;
  readonly after: Steering;
}

/** True when the write restores exactly what our last one changed. */
function takesBack(last: Moved | undefined, { before, after }: Moved): boolean {
  return last !== undefined && isSame(last.after, before) && isSame(last.before, after);
}

/** The objects of a cluster as they are created and deleted. Ask with growing versions. */
export function followObjects(cluster: AuditedCluster, onCreated: (object: CreatedObject) => void = () => undefined) {
  const objects = new Map(cluster.before.map((object) => [object.path, object]));
  const coming = cluster.created.toSorted((a, b) => a.version - b.version);
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

const replayed = new WeakMap<AuditedCluster, Replay>();

/** The result of replaying a cluster's log. */
export interface Replay {
  readonly writes: readonly ReplayedWrite[];
  /** How each object must look in the end, by path. */
  readonly end: ReadonlyMap<string, ObjectState>;
}

/** Replays all writes to objects that steer injection, in the order of the API server. */
export function replayWrites(cluster: AuditedCluster): Replay {
  const known = replayed.get(cluster);
  if (known !== undefined) return known;
  const now = new Map(cluster.before.map((object) => [object.path, startState(object)]));
  const objectAt = followObjects(cluster, (object) => now.set(object.path, startState(object)));
  const writes: ReplayedWrite[] = [];
  for (const write of cluster.writes) {
    const kind = readKind(write);
    if (kind === undefined) continue;
    const object = objectAt(write.path, write.version);
    const was = now.get(write.path) ?? startState(undefined);
    const is = applyWrite(was, write);
    now.set(write.path, is);
    const isWorkload = kind !== "namespace";
    const namespace = now.get(`/api/v1/namespaces/${readNamespace(write.path)}`);
    // No label of a namespace decides what VMs run.
    const fromNamespace = kind === "workload" ? namespace?.labels[revisionLabel] : undefined;
    writes.push({ write, was, is, isWorkload, fromNamespace, identity: `${write.path} ${object?.uid ?? ""}` });
  }
  objectAt("", Number.POSITIVE_INFINITY);
  const replay = { writes, end: now };
  replayed.set(cluster, replay);
  return replay;
}

const steered = new WeakMap<AuditedCluster, readonly SteeringWrite[]>();

/** Replays one cluster's log and returns meshroll's writes that changed which revision a pod would be injected with. */
export function replaySteering(cluster: AuditedCluster): readonly SteeringWrite[] {
  const known = steered.get(cluster);
  if (known !== undefined) return known;
  const lastMove = new Map<string, Moved>();
  const found = replayWrites(cluster).writes.flatMap((each): readonly SteeringWrite[] => {
    const before = readSteering(each.was, each.isWorkload);
    const after = readSteering(each.is, each.isWorkload);
    if (isSame(before, after) || !isOurs(each.write)) return [];
    const isUndo =
      readRunAnnotation(each.write) === undefined && takesBack(lastMove.get(each.identity), { before, after });
    if (isUndo) lastMove.delete(each.identity);
    else lastMove.set(each.identity, { before, after });
    return [{ ...each, before, after, isUndo }];
  });
  steered.set(cluster, found);
  return found;
}

/** The revision that an object asks for: by its restart annotation, its own label, or its namespace's label. */
export function readTarget({
  before,
  after,
  fromNamespace,
}: Pick<SteeringWrite, "before" | "after" | "fromNamespace">): string | undefined {
  const isRestart = after.restartedFor !== undefined && after.restartedFor !== before.restartedFor;
  return isRestart ? after.restartedFor?.replace(/#\d+$/u, "") : (after.label ?? fromNamespace);
}

export function readNamespace(path: string): string {
  return path.split("/namespaces/")[1]?.split("/")[0] ?? "";
}

/** The annotation that each move leaves on the object: `<run> <revision>`, and `#n` for a later try. */
export interface RunAnnotation {
  readonly run: string;
  readonly attempt: number;
  /** It lacked pods before its move: it gets one try, and nothing waits for its pods to be ready. */
  readonly wasUnhealthy: boolean;
}

/** Undefined for a write without one: an undo. */
export function readRunAnnotation({ body }: AuditedWrite): RunAnnotation | undefined {
  const text = digPart(body, "metadata", "annotations")["meshroll.dev/run"];
  if (typeof text !== "string") return undefined;
  const [run = "", , state] = text.split(" ");
  return { run, attempt: Number(/#(\d+)$/u.exec(text)?.[1] ?? 1), wasUnhealthy: state === "UnhealthyBefore" };
}

const kinds: Readonly<Record<string, string>> = {
  deployments: "Deployment",
  statefulsets: "StatefulSet",
  daemonsets: "DaemonSet",
  rollouts: "Rollout",
  workloadgroups: "WorkloadGroup",
};

/** `cluster:namespace/Kind/name`, as messages and the ledger name a workload. */
export function nameObject(cluster: string, path: string): string {
  const [, namespace = "", resource = "", name = ""] = /\/namespaces\/([^/]+)\/([^/]+)\/([^/]+)$/u.exec(path) ?? [];
  return `${cluster}:${namespace}/${kinds[resource] ?? resource}/${name}`;
}
