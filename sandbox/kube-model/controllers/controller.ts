import { refreshBudgets } from "./budgets.ts";
import type { ModelPod, ModelWorkload, TemplateSet, WorkloadStatus } from "../objects/objects.ts";
import { rollCanary } from "./roll-canary.ts";
import { rollDeployment } from "./roll-deployment.ts";
import { rollInPlace } from "./roll-in-place.ts";
import { publish, type State } from "../state/state.ts";
import { hashTemplate } from "../objects/template-hash.ts";

/** Until its controller looked, an object's status is that of the generation before: false ready begins here. */
const REACTION_MS = 20;
/** A pod that admission refused is tried again so much later. */
const RETRY_MS = 5_000;
const KEPT_SETS = 10;

/** Lets the workload's controller look at it soon; any number of requests is one reconcile. */
export function requestReconcile(state: State, workload: ModelWorkload, ms: number = REACTION_MS): void {
  workload.wake ??= state.clock.schedule(ms, () => {
    workload.wake = undefined;
    const look = () => void (workload.deleted || reconcile(state, workload));
    if (state.stopped === undefined) look();
    else state.stopped.add(look);
  });
}

/** No controller looks at anything until the answer is called: generations grow, no status follows. */
export function stopControllers(state: State): () => void {
  const waiting = new Set<() => void>();
  state.stopped = waiting;
  return () => {
    state.stopped = undefined;
    for (const look of waiting) look();
  };
}

/** Takes the next step of the rollout and writes the status. */
function reconcile(state: State, workload: ModelWorkload): void {
  adoptTemplate(state, workload);
  if (workload.kind === "Deployment") rollDeployment(state, workload, requestReconcile);
  else if (workload.kind === "Rollout") rollCanary(state, workload, requestReconcile);
  else rollInPlace(state, workload, requestReconcile);
  if (workload.failure !== undefined) requestReconcile(state, workload, RETRY_MS);
  updateStatus(state, workload);
}

/** Finds the set of the object's template, or makes it. A paused Deployment goes on with the old one. */
export function adoptTemplate(state: State, workload: ModelWorkload): void {
  if (workload.paused && workload.kind === "Deployment" && workload.current !== undefined) return;
  if (workload.current?.template === workload.template) return;
  const hash = hashTemplate(workload.template);
  const known = workload.sets.find((set) => set.hash === hash);
  const set: TemplateSet = known ?? { hash, template: workload.template, createdAt: state.clock.now() };
  if (known === undefined) workload.sets = pruneSets([...workload.sets, set], workload);
  if (workload.current !== set) workload.progressAt = state.clock.now();
  workload.current = set;
  workload.template = set.template;
}

function pruneSets(sets: readonly TemplateSet[], { pods, current }: ModelWorkload): TemplateSet[] {
  const used = new Set(pods.map((pod) => pod.set));
  return sets.filter((set, index) => used.has(set) || set === current || index >= sets.length - KEPT_SETS - 1);
}

/** Writes the status when it differs from the one that stands there. */
export function updateStatus(state: State, workload: ModelWorkload): void {
  const counts = countPods(workload);
  const before = workload.status;
  if (counts.updated > before.updated || counts.available > before.available) workload.progressAt = state.clock.now();
  const completed = isComplete(workload, counts) ? (workload.current?.hash ?? "") : before.completed;
  const isDone = completed === workload.current?.hash;
  const status = { ...counts, completed, deadlineExceeded: judgeDeadline(state, workload, isDone) };
  refreshBudgets(state, workload.namespace);
  const fields = Object.keys(status) as (keyof WorkloadStatus)[];
  if (fields.every((field) => status[field] === before[field])) return;
  workload.status = status;
  workload.statusAt = state.clock.now();
  if (completed !== before.completed) workload.completedAt = state.clock.now();
  publish(state, "MODIFIED", workload);
}

/** Of a DaemonSet the oldest pod of each node counts: next to one that surges, the old one. */
function listCounted({ kind, pods }: ModelWorkload): readonly ModelPod[] {
  if (kind !== "DaemonSet") return pods;
  return pods.filter((pod) => !pods.some(({ ordinal, serial }) => ordinal === pod.ordinal && serial < pod.serial));
}

function countPods(workload: ModelWorkload): Counts {
  const { generation, current, template, paused } = workload;
  const pods = listCounted(workload);
  // A paused Deployment has no set for a new template: none of its pods are "updated".
  const waits = paused && current?.hash !== hashTemplate(template);
  return {
    observedGeneration: generation,
    total: pods.length,
    updated: waits ? 0 : pods.filter((pod) => pod.set === current).length,
    available: pods.filter((pod) => pod.state === "ready").length,
  };
}

type Counts = Omit<WorkloadStatus, "deadlineExceeded" | "completed">;

function isComplete({ replicas }: ModelWorkload, { updated, total, available }: Counts): boolean {
  return updated === replicas && total === replicas && available >= replicas;
}

/** Only Deployments have a progress deadline, and only until the rollout was complete once: pods lost later do not count. */
function judgeDeadline(state: State, workload: ModelWorkload, isDone: boolean): boolean {
  const { settings, kind, paused } = workload;
  workload.deadline?.();
  workload.deadline = undefined;
  if (isDone || paused || kind !== "Deployment") return false;
  const left = workload.progressAt + settings.deadlineMs - state.clock.now();
  if (left <= 0) return true;
  workload.deadline = state.clock.schedule(left, () => {
    workload.deadline = undefined;
    if (!workload.deleted) updateStatus(state, workload);
  });
  return false;
}
