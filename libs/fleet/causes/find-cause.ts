import { type FailureCause, readCause } from "./failure-cause.ts";
import type { ContainerSeen, Ended, PodSeen, RolloutSeen } from "./pods-seen.ts";

/** What a kubelet says when it cannot have an image. */
const imageReasons: ReadonlySet<string> = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "ErrImageNeverPull",
  "InvalidImageName",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
]);

/** Not started yet, without a cause of its own: volumes are mounted, or containers before it start first. */
const creating = "ContainerCreating";

const proxy = "istio-proxy";

/**
 * The first cause in this order is told: what cannot heal by itself before what may only be slow, and a pod that has ended and is kept
 * after all that says something of the pods that are there now.
 */
const order: readonly FailureCause["code"][] = [
  // Without a proxy that works the containers next to it may have no network.
  "ConfigRefused",
  "ImagePull",
  "Crash",
  "NotStarted",
  "Unschedulable",
  "CreateRefused",
  "InitRunning",
  "NotReady",
  "PodNotReady",
  "Degraded",
];

function isProxy(cause: FailureCause): boolean {
  return "container" in cause && cause.container === proxy;
}

function isCreating(cause: FailureCause): boolean {
  return cause.code === "NotStarted" && cause.reason === creating;
}

/** Lower is told first. The proxy comes before the containers that may wait for it. */
function rankCause(cause: FailureCause): number {
  if (cause.code === "PodFailed") return order.length + 1;
  if (isCreating(cause)) return order.length;
  return order.indexOf(cause.code) - (isProxy(cause) || cause.unready !== undefined ? 0.5 : 0);
}

function describeCrash({ name, restarts }: ContainerSeen, ended: Ended): FailureCause {
  return { code: "Crash", container: name, restarts, ...ended };
}

function judgeWaiting(container: ContainerSeen, reason: string, message?: string): FailureCause | undefined {
  const { name, image, last } = container;
  // Another container has to start first: that one has the cause.
  if (reason === "PodInitializing" || reason === "") return undefined;
  if (imageReasons.has(reason)) return { code: "ImagePull", container: name, image, reason };
  if (reason === "CrashLoopBackOff" && last !== undefined) return describeCrash(container, last);
  return { code: "NotStarted", container: name, reason, ...(message === undefined ? {} : { message }) };
}

function judgeEnded(container: ContainerSeen, { exitCode, reason, message }: Ended): FailureCause | undefined {
  if (container.role === "init" && exitCode === 0) return undefined;
  const said = { ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message }) };
  return describeCrash(container, { exitCode, ...said });
}

/** Running: what is restarted again and again is not ready because of that. */
function judgeRunning(container: ContainerSeen): FailureCause | undefined {
  const { name, role, ready, restarts, last } = container;
  if (role === "init") return { code: "InitRunning", container: name };
  if (ready) return undefined;
  return restarts > 0 && last !== undefined ? describeCrash(container, last) : { code: "NotReady", container: name };
}

function judgeContainer(container: ContainerSeen): FailureCause | undefined {
  const { state } = container;
  switch (state.kind) {
    case "waiting":
      return judgeWaiting(container, state.reason, state.message);
    case "ended":
      return judgeEnded(container, state);
    case "running":
      return judgeRunning(container);
    case "unknown":
      return undefined;
  }
}

/** What a container does for want of its network, which the proxy gives it. */
const followsFromProxy: ReadonlySet<FailureCause["code"]> = new Set(["Crash", "NotReady"]);

/**
 * The causes of one pod, with the part that its proxy has in them. A proxy that runs and is not ready is told with the others, for it may
 * be why they crash; where it does not run, that is why.
 */
function weighProxy(causes: readonly FailureCause[]): readonly FailureCause[] {
  const own = causes.find(isProxy);
  if (own === undefined || isCreating(own)) return causes;
  const others = causes.filter((cause) => !isProxy(cause));
  if (own.code !== "NotReady") return [own, ...others.filter(({ code }) => !followsFromProxy.has(code))];
  // Of another container that is not ready either, or is still being created, nothing is to be said besides the proxy.
  const more = others.filter((cause) => cause.code !== "NotReady" && !isCreating(cause));
  return [own, ...more.map((cause) => ({ ...cause, unready: proxy }))];
}

/** The scheduler repeats itself for preemption, which no reader needs. */
function shortenScheduling(message: string): string {
  return message.split(/\.? preemption: /u)[0] ?? message;
}

/** Why a proxy is not ready, where istiod knows. */
function explainProxy(cause: FailureCause, refusal: PodSeen["refusal"]): FailureCause {
  if (refusal === undefined || refusal.why === "" || cause.code !== "NotReady" || !isProxy(cause)) return cause;
  return { code: "ConfigRefused", container: proxy, reason: refusal.type, message: refusal.why };
}

function judgePod({ ready, unready, unscheduled, failed, containers, refusal }: PodSeen): readonly FailureCause[] {
  if (ready) return [];
  if (failed !== undefined) return [{ code: "PodFailed", ...failed }];
  if (unscheduled !== undefined) return [{ code: "Unschedulable", pods: 1, message: shortenScheduling(unscheduled) }];
  const causes = weighProxy(containers.flatMap((container) => judgeContainer(container) ?? []));
  const isWhole = containers.length > 0 && containers.every((each) => each.ready || each.role === "init");
  if (causes.length > 0) return causes.map((cause) => explainProxy(cause, refusal));
  if (!isWhole || unready === undefined) return [];
  return [{ code: "PodNotReady", message: unready }];
}

function countRestarts(cause: FailureCause): number {
  return cause.code === "Crash" ? cause.restarts : 0;
}

/**
 * Why the rollout is not complete, in the words of its pods; undefined where they say nothing. Texts of others are cleaned and cut.
 */
export function findCause({ pods, createRefused, degraded, vms = [] }: RolloutSeen): FailureCause | undefined {
  const [vm] = vms;
  if (vm !== undefined) return readCause({ code: "VmNotUpgraded", vm: vm.name, reason: vm.code, message: vm.message });
  const refusal = createRefused === undefined ? [] : [{ code: "CreateRefused", message: createRefused } as const];
  const words = degraded === undefined ? [] : [{ code: "Degraded", message: degraded } as const];
  const causes: readonly FailureCause[] = [...pods.flatMap(judgePod), ...refusal, ...words];
  const [first] = causes.toSorted((a, b) => rankCause(a) - rankCause(b) || countRestarts(b) - countRestarts(a));
  if (first?.code !== "Unschedulable") return readCause(first);
  return readCause({ ...first, pods: causes.filter(({ code }) => code === "Unschedulable").length });
}
