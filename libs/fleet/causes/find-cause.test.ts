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
const killed = { exitCode: 137, reason: "OOMKilled" };
const crash = { code: "Crash", container: "app", exitCode: 137, reason: "OOMKilled" } as const;
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
