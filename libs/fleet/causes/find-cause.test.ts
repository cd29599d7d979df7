import { describe, expect, it } from "vitest";

import type { FailureCause } from "./failure-cause.ts";
import { findCause } from "./find-cause.ts";
import type { ContainerSeen, PodSeen, RolloutSeen } from "./pods-seen.ts";

type Change = Partial<Omit<ContainerSeen, "name">>;

/** Running and not ready, but for the change. */
function container(name: string, change: Change = {}): ContainerSeen {
  return {
    name,
    image: `acme/${name}:2`,
    role: "app",
    ready: false,
    restarts: 0,
    state: { kind: "running" },
    ...change,
  };
}

function waiting(name: string, reason: string, change: Change = {}): ContainerSeen {
  return container(name, { state: { kind: "waiting", reason }, ...change });
}

function pod(...containers: readonly ContainerSeen[]): PodSeen {
  return { ready: false, containers };
}

const ready: PodSeen = { ready: true, containers: [container("app", { ready: true })] };
const done = container("istio-init", { role: "init", ready: true, state: { kind: "ended", exitCode: 0 } });
const proxy = (change: Change = {}) => container("istio-proxy", { role: "sidecar", ...change });
const refusal = { type: "Listener", why: "no such filter" };
const killed = { exitCode: 137, reason: "OOMKilled" };
const crash = { code: "Crash", container: "app", exitCode: 137, reason: "OOMKilled" } as const;
const evicted: PodSeen = { ready: false, failed: { reason: "Evicted" }, containers: [] };
const unscheduled = (message: string): PodSeen => ({ ready: false, unscheduled: message, containers: [] });

const cases: Readonly<Record<string, { readonly seen: RolloutSeen; readonly want: FailureCause | undefined }>> = {
  "no pod and no refusal say nothing": { seen: { pods: [] }, want: undefined },
  "ready pods say nothing": { seen: { pods: [ready, ready] }, want: undefined },
  "the proxy's image goes before the container that waits for the proxy": {
    seen: {
      pods: [
        pod(done, waiting("istio-proxy", "ImagePullBackOff", { role: "sidecar" }), waiting("app", "PodInitializing")),
      ],
    },
    want: { code: "ImagePull", container: "istio-proxy", image: "acme/istio-proxy:2", reason: "ImagePullBackOff" },
  },
  "of a container in its back-off the last end counts": {
    seen: { pods: [pod(waiting("app", "CrashLoopBackOff", { restarts: 4, last: killed }))] },
    want: { ...crash, restarts: 4 },
  },
  "a container that runs again between two ends": {
    seen: { pods: [pod(container("app", { restarts: 2, last: killed }))] },
    want: { ...crash, restarts: 2 },
  },
  "a container that has just ended": {
    seen: { pods: [pod(container("app", { state: { kind: "ended", exitCode: 0, reason: "Completed" } }))] },
    want: { code: "Crash", container: "app", exitCode: 0, restarts: 0, reason: "Completed" },
  },
  "an init container that fails": {
    seen: {
      pods: [
        pod(
          container("migrate", { role: "init", restarts: 1, state: { kind: "ended", exitCode: 2 } }),
          waiting("app", "PodInitializing"),
        ),
      ],
    },
    want: { code: "Crash", container: "migrate", exitCode: 2, restarts: 1 },
  },
  "an init container that does not end": {
    seen: { pods: [pod(container("migrate", { role: "init" }), waiting("app", "PodInitializing"))] },
    want: { code: "InitRunning", container: "migrate" },
  },
  "of many crashes the one that was restarted most": {
    seen: {
      pods: [1, 5, 3].map((restarts) => pod(waiting("app", "CrashLoopBackOff", { restarts, last: killed }))),
    },
    want: { ...crash, restarts: 5 },
  },
  "a missing ConfigMap, in the kubelet's words": {
    seen: {
      pods: [
        pod(
          container("app", {
            state: { kind: "waiting", reason: "CreateContainerConfigError", message: 'configmap "app" not found' },
          }),
        ),
      ],
    },
    want: {
      code: "NotStarted",
      container: "app",
      reason: "CreateContainerConfigError",
      message: 'configmap "app" not found',
    },
  },
  "pods without a node are counted, and preemption is left out": {
    seen: {
      pods: ["", " preemption: none"].map((more) =>
        unscheduled(`0/12 nodes are available: 12 Insufficient cpu.${more}`),
      ),
    },
    want: { code: "Unschedulable", pods: 2, message: "0/12 nodes are available: 12 Insufficient cpu." },
  },
  "a crash is told before a pod without a node": {
    seen: { pods: [unscheduled("no node"), pod(waiting("app", "CrashLoopBackOff", { restarts: 4, last: killed }))] },
    want: { ...crash, restarts: 4 },
  },
  "an evicted pod": {
    seen: { pods: [{ ready: false, failed: { reason: "Evicted", message: "low on memory" }, containers: [] }] },
    want: { code: "PodFailed", reason: "Evicted", message: "low on memory" },
  },
  "an evicted pod that is kept says less than a pod that is not ready": {
    seen: { pods: [evicted, pod(container("app"))] },
    want: { code: "NotReady", container: "app" },
  },
  "an evicted pod says less than a pod that is being created": {
    seen: { pods: [evicted, pod(waiting("app", "ContainerCreating"))] },
    want: { code: "NotStarted", container: "app", reason: "ContainerCreating" },
  },
  "an evicted pod says less than a refusal of the pod that takes its place": {
    seen: { pods: [evicted], createRefused: "exceeded quota" },
    want: { code: "CreateRefused", message: "exceeded quota" },
  },
  "an evicted pod, where the others are ready": {
    seen: { pods: [ready, evicted] },
    want: { code: "PodFailed", reason: "Evicted" },
  },
  "a refusal, while no pod is there": {
    seen: { pods: [], createRefused: 'admission webhook "x" denied the request: no' },
    want: { code: "CreateRefused", message: 'admission webhook "x" denied the request: no' },
  },
  "a refusal is told before a pod that may only be slow": {
    seen: { pods: [pod(container("app"))], createRefused: "exceeded quota" },
    want: { code: "CreateRefused", message: "exceeded quota" },
  },
  "the proxy is told before the container that may wait for it": {
    seen: { pods: [pod(container("app"), proxy({ role: "app" }))] },
    want: { code: "NotReady", container: "istio-proxy" },
  },
  "a container that the proxy holds back is no cause": {
    seen: { pods: [pod(proxy({ role: "app" }), waiting("app", "ContainerCreating"))] },
    want: { code: "NotReady", container: "istio-proxy" },
  },
  "a proxy that refuses its configuration, in its words": {
    seen: { pods: [{ ...pod(proxy(), container("app")), refusal }] },
    want: { code: "ConfigRefused", container: "istio-proxy", reason: "Listener", message: "no such filter" },
  },
  "an application that crashes next to it is no cause of its own": {
    seen: {
      pods: [{ ...pod(proxy(), waiting("app", "CrashLoopBackOff", { restarts: 5, last: { exitCode: 1 } })), refusal }],
    },
    want: { code: "ConfigRefused", container: "istio-proxy", reason: "Listener", message: "no such filter" },
  },
  "a proxy that works with what it had before: what it refuses now is not why the application is not ready": {
    seen: { pods: [{ ...pod(proxy({ ready: true }), container("app")), refusal }] },
    want: { code: "NotReady", container: "app" },
  },
  "a proxy that does not say why it refuses": {
    seen: { pods: [{ ...pod(proxy()), refusal: { type: "Listener", why: "" } }] },
    want: { code: "NotReady", container: "istio-proxy" },
  },
  "an application that crashes without its network: the proxy that is not ready is told with it": {
    seen: { pods: [pod(done, proxy(), waiting("app", "CrashLoopBackOff", { restarts: 5, last: { exitCode: 1 } }))] },
    want: { code: "Crash", container: "app", exitCode: 1, restarts: 5, unready: "istio-proxy" },
  },
  "a proxy that is ready has no part in a crash": {
    seen: { pods: [pod(proxy({ ready: true }), waiting("app", "CrashLoopBackOff", { restarts: 5, last: killed }))] },
    want: { ...crash, restarts: 5 },
  },
  "the proxy of another pod has no part in it either": {
    seen: { pods: [pod(proxy()), pod(proxy({ ready: true }), container("app", { restarts: 2, last: killed }))] },
    want: { ...crash, restarts: 2 },
  },
  "of two crashes the one whose proxy is not ready, with fewer restarts": {
    seen: {
      pods: [
        pod(proxy({ ready: true }), container("app", { restarts: 9, last: killed })),
        pod(proxy(), container("app", { restarts: 2, last: killed })),
      ],
    },
    want: { ...crash, restarts: 2, unready: "istio-proxy" },
  },
  "an image that is not there, in a pod whose proxy is not ready": {
    seen: { pods: [pod(proxy(), waiting("app", "ErrImagePull"))] },
    want: { code: "ImagePull", container: "app", image: "acme/app:2", reason: "ErrImagePull", unready: "istio-proxy" },
  },
  "a proxy that crashes is told before the crash that follows from it": {
    seen: {
      pods: [pod(proxy({ restarts: 1, last: { exitCode: 255 } }), container("app", { restarts: 9, last: killed }))],
    },
    want: { code: "Crash", container: "istio-proxy", exitCode: 255, restarts: 1 },
  },
  "a proxy that was not started is told before the crash that follows from it": {
    seen: {
      pods: [
        pod(
          waiting("istio-proxy", "CreateContainerConfigError"),
          waiting("app", "CrashLoopBackOff", { restarts: 5, last: killed }),
        ),
      ],
    },
    want: { code: "NotStarted", container: "istio-proxy", reason: "CreateContainerConfigError" },
  },
  "a proxy that waits for an init container has no part in its crash": {
    seen: {
      pods: [
        pod(
          container("migrate", { role: "init", restarts: 1, state: { kind: "ended", exitCode: 2 } }),
          waiting("istio-proxy", "PodInitializing"),
        ),
      ],
    },
    want: { code: "Crash", container: "migrate", exitCode: 2, restarts: 1 },
  },
  "the application alone is not ready": {
    seen: { pods: [pod(done, proxy({ ready: true }), container("app"))] },
    want: { code: "NotReady", container: "app" },
  },
  "nothing but the wait of its kubelet": {
    seen: { pods: [pod(waiting("app", "ContainerCreating"))] },
    want: { code: "NotStarted", container: "app", reason: "ContainerCreating" },
  },
  "a readiness gate, where every container is ready": {
    seen: { pods: [{ ...pod(container("app", { ready: true })), unready: 'readiness gate "x" is missing' }] },
    want: { code: "PodNotReady", message: 'readiness gate "x" is missing' },
  },
  "an update that Argo aborted, whose pods are gone": {
    seen: { pods: [], degraded: "RolloutAborted: no" },
    want: { code: "Degraded", message: "RolloutAborted: no" },
  },
  "one whose pods say more": {
    seen: { pods: [pod(container("app"))], degraded: "RolloutAborted: no" },
    want: { code: "NotReady", container: "app" },
  },
  "a kubelet that has said nothing": {
    seen: { pods: [{ ...pod(container("app", { state: { kind: "unknown" } })), unready: "" }] },
    want: undefined,
  },
};

describe("why a move failed, by its pods", () => {
  it.each(Object.entries(cases))("%s", (_, { seen, want }) => {
    expect(findCause(seen)).toEqual(want);
  });
});
