import type { AuditEntry } from "../bed/start-cluster.ts";

interface Spec {
  readonly replicas?: number;
}

interface Status {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
}

/** A Deployment as kube-controller-manager writes its status. */
interface Written {
  readonly metadata: { readonly generation?: number };
  readonly spec: Spec;
  readonly status?: Status;
}

/** What the audit log says of one contestant's rollouts: times in ms, each list ascending. */
export interface Rollouts {
  /** When the API server received each write that began a rollout. */
  readonly begun: readonly number[];
  /** When it received the status that shows a rollout complete: watches have it before it is answered. */
  readonly completed: readonly number[];
}

/** As `kubectl rollout status` judges it. */
function isComplete({ metadata, spec, status = {} }: Written): boolean {
  const { replicas = 1 } = spec;
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  const isSeen = observedGeneration >= (metadata.generation ?? 0);
  return isSeen && updatedReplicas === replicas && status.replicas === replicas && availableReplicas === replicas;
}

const readTime = (text: string): number => Date.parse(text) + (Number(text.slice(23, 26)) || 0) / 1000;

/** Writes that only record an arrival begin no rollout. */
function beginsRollout({ verb, requestURI, objectRef }: AuditEntry): boolean {
  return (
    verb === "patch" && objectRef?.subresource === undefined && !requestURI.includes("fieldManager=meshroll-record")
  );
}

/** A status that was decided before the write is refused as a conflict, so the one that is stored is about it. */
function showsComplete({ objectRef, requestObject }: AuditEntry): boolean {
  return objectRef?.subresource === "status" && isComplete(requestObject as Written);
}

const sortTimes = (times: ReadonlyMap<string, number>) => [...times.values()].toSorted((a, b) => a - b);

/**
 * The rollouts in namespaces of this prefix, from `since` on (epoch ms). Of each Deployment the first write and its first
 * complete status count.
 */
export function readRollouts(audit: readonly AuditEntry[], prefix: string, since: number): Rollouts {
  const begun = new Map<string, number>();
  const completed = new Map<string, number>();
  const own = audit.filter(
    ({ objectRef, responseStatus, requestReceivedTimestamp }) =>
      objectRef?.resource === "deployments" &&
      objectRef.namespace?.startsWith(`${prefix}-`) === true &&
      responseStatus?.code === 200 &&
      readTime(requestReceivedTimestamp) >= since,
  );
  for (const entry of own) {
    const key = `${entry.objectRef?.namespace}/${entry.objectRef?.name}`;
    const received = readTime(entry.requestReceivedTimestamp);
    if (beginsRollout(entry) && !begun.has(key)) begun.set(key, received);
    const isFirst = begun.has(key) && !completed.has(key);
    if (isFirst && showsComplete(entry)) completed.set(key, received);
  }
  return { begun: sortTimes(begun), completed: sortTimes(completed) };
}

/** Seconds from the first write to the last completion. */
export function findMakespan({ begun, completed }: Rollouts): number {
  return ((completed.at(-1) ?? Number.NaN) - (begun[0] ?? Number.NaN)) / 1000;
}

/**
 * Ms from the completion that made room to the write that used it, where at most `bound` roll at once: the k-th completion makes
 * room for the k-th write after the first `bound`.
 */
export function listRefills({ begun, completed }: Rollouts, bound: number): readonly number[] {
  return begun.slice(bound).map((at, index) => at - (completed[index] ?? Number.NaN));
}

/** Ms from the completion that ended a batch to the first write of the next one. */
export function listBatchGaps({ begun, completed }: Rollouts, size: number): readonly number[] {
  const firsts = begun.filter((_, index) => index > 0 && index % size === 0);
  return firsts.map((at, index) => at - (completed[(index + 1) * size - 1] ?? Number.NaN));
}

/** The most rollouts at once. */
export function countMostAtOnce({ begun, completed }: Rollouts): number {
  const changes = [...begun.map((at) => [at, 1] as const), ...completed.map((at) => [at, -1] as const)];
  let [now, most] = [0, 0];
  for (const [, by] of changes.toSorted(([a], [b]) => a - b)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
