import type { ArgoState, CanaryStep, ModelPod, ModelWorkload, TemplateSet } from "../objects/objects.ts";
import { createPod, deletePod, type OnPodChange } from "./pods.ts";
import type { State } from "../state/state.ts";

/** One look of Argo Rollouts' controller: the steps of a canary one after the other, and the pods as the present one wants them. */
export function rollCanary(state: State, workload: ModelWorkload, changed: OnPodChange): void {
  const { current, argo, paused } = workload;
  if (current === undefined || argo === undefined) return;
  if (argo.of !== current) beginUpdate(argo, current, workload);
  if (paused) return;
  if (!argo.aborted) takeSteps(state, workload, argo, changed);
  const wanted = countWanted(workload, argo);
  scale(state, workload, { set: current, wanted }, changed);
  if (isThrough(workload, argo)) argo.stable = current;
}

/** A new template begins at the first step; the stable one again skips all of them. */
function beginUpdate(argo: ArgoState, current: TemplateSet, { settings }: ModelWorkload): void {
  const steps = settings.canary?.length ?? 0;
  Object.assign(argo, { of: current, aborted: false, pausedAt: undefined, step: 0 });
  argo.stable ??= current;
  if (argo.stable === current) argo.step = steps;
}

function readSteps({ settings }: ModelWorkload): readonly CanaryStep[] {
  return settings.canary ?? [];
}

function takeSteps(state: State, workload: ModelWorkload, argo: ArgoState, changed: OnPodChange): void {
  const steps = readSteps(workload);
  for (let step = steps[argo.step]; step !== undefined; step = steps[argo.step]) {
    if (!isDone(state, workload, argo, step, changed)) return;
    argo.step++;
    argo.pausedAt = undefined;
  }
}

function isDone(
  state: State,
  workload: ModelWorkload,
  argo: ArgoState,
  step: CanaryStep,
  changed: OnPodChange,
): boolean {
  if (step.weight !== undefined) return hasWeight(workload, step.weight);
  const { pause } = step;
  if (argo.pausedAt === undefined) {
    argo.pausedAt = state.clock.now();
    if (pause !== "promotion") state.clock.schedule(pause, () => changed(state, workload));
  }
  return pause !== "promotion" && state.clock.now() >= argo.pausedAt + pause;
}

function weigh({ replicas }: ModelWorkload, weight: number): number {
  return Math.ceil((replicas * weight) / 100);
}

function listNew({ pods, current }: ModelWorkload): readonly ModelPod[] {
  return pods.filter((pod) => pod.set === current);
}

function hasWeight(workload: ModelWorkload, weight: number): boolean {
  const ready = listNew(workload).filter((pod) => pod.state === "ready").length;
  return ready >= weigh(workload, weight);
}

/** How many pods of the newest template there shall be now. */
function countWanted(workload: ModelWorkload, { aborted, step }: ArgoState): number {
  if (aborted) return 0;
  const steps = readSteps(workload);
  if (step >= steps.length) return workload.replicas;
  const weights = steps.slice(0, step + 1).flatMap(({ weight }) => weight ?? []);
  return weigh(workload, weights.at(-1) ?? 0);
}

interface Wanted {
  readonly set: TemplateSet;
  readonly wanted: number;
}

/** A quarter more pods at most, and none less than asked for: what is too much of one template goes once the others are ready. */
function scale(state: State, workload: ModelWorkload, { set, wanted }: Wanted, changed: OnPodChange): void {
  const { replicas, pods, settings, argo } = workload;
  const most = replicas + (settings.maxSurge ?? Math.ceil(replicas / 4));
  const others = replicas - wanted;
  fill(state, workload, { set, wanted }, most, changed);
  if (argo?.stable !== undefined && argo.stable !== set)
    fill(state, workload, { set: argo.stable, wanted: others }, most, changed);
  const newest = pods.filter((pod) => pod.set === set);
  const older = pods.filter((pod) => pod.set !== set);
  const excess = [...takeExcess(older, others), ...takeExcess(newest, wanted)];
  let spare = pods.filter((pod) => pod.state === "ready").length - replicas;
  for (const pod of excess) {
    if (pod.state === "ready" && spare-- <= 0) continue;
    deletePod(state, pod);
    changed(state, workload);
  }
}

function takeExcess(pods: readonly ModelPod[], wanted: number): readonly ModelPod[] {
  const broken = pods.filter((pod) => pod.state !== "ready");
  return [...broken, ...pods.filter((pod) => pod.state === "ready")].slice(0, Math.max(0, pods.length - wanted));
}

function fill(
  state: State,
  workload: ModelWorkload,
  { set, wanted }: Wanted,
  most: number,
  changed: OnPodChange,
): void {
  const count = () => workload.pods.filter((pod) => pod.set === set).length;
  while (count() < wanted && workload.pods.length < most && createPod(state, workload, set, 0, changed));
}

function isThrough(workload: ModelWorkload, { aborted, step }: ArgoState): boolean {
  const ready = listNew(workload).filter((pod) => pod.state === "ready").length;
  return !aborted && step >= readSteps(workload).length && ready >= workload.replicas;
}
