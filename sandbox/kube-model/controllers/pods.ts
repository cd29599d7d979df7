import { admitPod } from "./admission.ts";
import { type Breakage, type ModelPod, type ModelWorkload, refOf, type TemplateSet } from "../objects/objects.ts";
import { publish, type State } from "../state/state.ts";

/** What happens when a pod's readiness changed: its controller looks again. */
export type OnPodChange = (state: State, workload: ModelWorkload) => void;

/** Sends a new pod through admission and starts it. False: it was refused, `workload.failure` says why. */
export function createPod(
  state: State,
  workload: ModelWorkload,
  set: TemplateSet,
  ordinal: number,
  changed: OnPodChange,
): boolean {
  const entry = enterPod(state, workload, set, ordinal);
  if (entry === undefined) return false;
  publish(state, "ADDED", entry.pod);
  startPod(state, entry.pod, entry.breakage, changed);
  return true;
}

/** Puts a pod there as it is long after its start: for fleets that were there before the test began. */
export function placePod(state: State, workload: ModelWorkload, set: TemplateSet, ordinal: number): void {
  const entry = enterPod(state, workload, set, ordinal);
  if (entry === undefined) return;
  const { pod, breakage } = entry;
  if (breakage?.how === "neverReady" || breakage?.how === "crash") pod.brokenBy = breakage;
  pod.state = pod.brokenBy === undefined ? "ready" : "broken";
  publish(state, "ADDED", pod);
}

function enterPod(state: State, workload: ModelWorkload, set: TemplateSet, ordinal: number) {
  const admission = admitPod(state, workload.namespace, set.template);
  workload.failure = admission.kind === "refused" ? admission.why : undefined;
  if (admission.kind === "refused") return undefined;
  const revision = admission.kind === "injected" ? admission.revision : undefined;
  const breakage = findBreakage(state, workload, revision);
  const pod: ModelPod = {
    resource: "pods",
    serial: ++state.podSerial,
    workload,
    set,
    ordinal,
    revision: applyToSidecar(breakage, revision),
    createdAt: state.clock.now(),
    state: "starting",
    brokenBy: undefined,
    rv: 0,
    deleted: false,
  };
  workload.pods.push(pod);
  return { pod, breakage };
}

export function deletePod(state: State, pod: ModelPod): void {
  const { pods } = pod.workload;
  const index = pods.indexOf(pod);
  if (index < 0) return;
  pods.splice(index, 1);
  publish(state, "DELETED", pod);
}

/** Breaks a running pod, now or, when it crashes late, in time. */
export function breakPod(state: State, pod: ModelPod, breakage: Breakage, changed: OnPodChange): void {
  if (breakage.how !== "neverReady" && breakage.how !== "crash") return;
  pod.brokenBy = breakage;
  after(state, pod, breakage.afterMs ?? 0, () => {
    if (pod.brokenBy !== breakage) return;
    setPodState(state, pod, "broken", changed);
    if (breakage.againMs !== undefined)
      after(state, pod, breakage.againMs, () => startAgain(state, pod, breakage, changed));
  });
}

/** As a kubelet does with a container that ended. */
function startAgain(state: State, pod: ModelPod, breakage: Breakage, changed: OnPodChange): void {
  if (pod.brokenBy !== breakage) return;
  setPodState(state, pod, "starting", changed);
  startPod(state, pod, breakage, changed);
}

/** The fault is gone: the pod starts again. */
export function fixPod(state: State, pod: ModelPod, changed: OnPodChange): void {
  pod.brokenBy = undefined;
  setPodState(state, pod, "starting", changed);
  startPod(state, pod, undefined, changed);
}

function startPod(state: State, pod: ModelPod, breakage: Breakage | undefined, changed: OnPodChange): void {
  const breaks = breakage?.how === "neverReady" || breakage?.how === "crash";
  if (breaks) pod.brokenBy = breakage;
  const fails = breakage?.how === "neverReady" || (breakage?.how === "crash" && breakage.afterMs === undefined);
  after(state, pod, pickReadyMs(state, pod.workload), () => {
    if (pod.state !== "starting" || (breaks && pod.brokenBy !== breakage)) return;
    // A pod that never gets ready stays as it is, one that crashes shows it.
    if (fails && breakage.how === "neverReady") return;
    setPodState(state, pod, fails ? "broken" : "ready", changed);
    if (breaks && !fails) breakPod(state, pod, breakage, changed);
  });
}

function setPodState(state: State, pod: ModelPod, next: ModelPod["state"], changed: OnPodChange): void {
  if (pod.state === next) return;
  pod.state = next;
  publish(state, "MODIFIED", pod);
  changed(state, pod.workload);
}

function after(state: State, pod: ModelPod, ms: number, fn: () => void): void {
  state.clock.schedule(ms, () => {
    if (!pod.deleted) fn();
  });
}

function pickReadyMs(state: State, { settings: { readyMs } }: ModelWorkload): number {
  if (typeof readyMs === "number") return readyMs;
  const [least, most] = readyMs;
  return Math.round(least + state.random() * (most - least));
}

function findBreakage(state: State, workload: ModelWorkload, revision: string | undefined): Breakage | undefined {
  for (const breakage of state.breakages) {
    const { whenRevision, matches } = breakage;
    // That is between the proxy and istiod: the pod does not show it.
    if (breakage.how === "nack") continue;
    if ((whenRevision === undefined || whenRevision === revision) && matches(refOf(workload))) return breakage;
  }
  return undefined;
}

function applyToSidecar(breakage: Breakage | undefined, revision: string | undefined): string | undefined {
  if (breakage?.how === "noSidecar") return undefined;
  if (breakage?.how === "wrongSidecar") return breakage.wrongRevision ?? `${revision ?? "unknown"}-wrong`;
  return revision;
}
