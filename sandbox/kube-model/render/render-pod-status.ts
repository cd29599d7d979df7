import type { ModelPod } from "../objects/objects.ts";

/** How one container is, as a kubelet writes it; `restarts` of 0 = it never ended. */
interface Condition {
  readonly ready: boolean;
  readonly restarts?: number;
  readonly state: object;
  readonly lastState?: object;
}

const ready: Condition = { ready: true, state: { running: {} } };
const runs: Condition = { ready: false, state: { running: {} } };
const restarts = 3;

function waits(reason: string, message?: string): Condition {
  return { ready: false, state: { waiting: { reason, ...(message === undefined ? {} : { message }) } } };
}

function crashes(name: string, exitCode: number, reason: string): Condition {
  const message = `back-off 40s restarting failed container=${name}`;
  return {
    ...waits("CrashLoopBackOff", message),
    restarts,
    lastState: { terminated: { exitCode, reason } },
  };
}

function pulls(image: string): Condition {
  const why = `ErrImagePull: failed to resolve reference "${image}": ${image}: not found`;
  return waits("ImagePullBackOff", `Back-off pulling image "${image}": ${why}`);
}

/** Of the sidecar, and of the container that starts after it. Without a sidecar the container has its fault. */
interface Conditions {
  readonly proxy: Condition;
  readonly app: Condition;
}

const initializing = waits("PodInitializing");

function describeBroken({ workload, brokenBy, revision }: ModelPod, proxyImage: string): Conditions {
  const { how, says } = brokenBy ?? {};
  const image = revision === undefined ? workload.template.image : proxyImage;
  if (how === "crash") {
    const [code, reason] = says === "oomKilled" ? ([137, "OOMKilled"] as const) : ([1, "Error"] as const);
    return { proxy: ready, app: crashes(workload.name, code, reason) };
  }
  const fault = says === "imagePull" ? pulls(image) : runs;
  return { proxy: fault, app: revision === undefined ? fault : initializing };
}

function describeContainers(pod: ModelPod, proxyImage: string): Conditions {
  if (pod.state === "ready") return { proxy: ready, app: ready };
  if (pod.state === "broken" || pod.brokenBy?.how === "neverReady") return describeBroken(pod, proxyImage);
  return { proxy: initializing, app: pod.revision === undefined ? waits("ContainerCreating") : initializing };
}

function renderContainer(name: string, image: string, condition: Condition): object {
  const { ready: isReady, restarts: restartCount = 0, state, lastState } = condition;
  return { name, image, ready: isReady, restartCount, state, ...(lastState === undefined ? {} : { lastState }) };
}

function renderReadiness(names: readonly string[]): readonly object[] {
  if (names.length === 0) return ["ContainersReady", "Ready"].map((type) => ({ type, status: "True" }));
  const message = `containers with unready status: [${names.join(" ")}]`;
  return ["ContainersReady", "Ready"].map((type) => ({ type, status: "False", reason: "ContainersNotReady", message }));
}

const unschedulable = {
  phase: "Pending",
  conditions: [
    {
      type: "PodScheduled",
      status: "False",
      reason: "Unschedulable",
      message:
        "0/20 nodes are available: 20 Insufficient cpu. preemption: 0/20 nodes are available: " +
        "20 No preemption victims found for incoming pod.",
    },
  ],
};

/** A pod's status as its kubelet, or the scheduler, writes it. */
export function renderPodStatus(pod: ModelPod, proxyImage: string): object {
  const { workload, state, revision, set } = pod;
  if (state === "starting" && pod.brokenBy?.says === "unschedulable") return unschedulable;
  const { proxy, app } = describeContainers(pod, proxyImage);
  const unready = [
    ...(revision === undefined || proxy.ready ? [] : ["istio-proxy"]),
    ...(app.ready ? [] : [workload.name]),
  ];
  return {
    phase: state === "starting" ? "Pending" : "Running",
    conditions: [{ type: "PodScheduled", status: "True" }, ...renderReadiness(unready)],
    ...(revision === undefined ? {} : { initContainerStatuses: [renderContainer("istio-proxy", proxyImage, proxy)] }),
    containerStatuses: [renderContainer(workload.name, set.template.image, app)],
  };
}
