import { describe, expect, it } from "vitest";

import { findCause, type FailureCause } from "#libs/fleet";

import { projectPodStatus } from "./project-pod-status.ts";

const proxyImage = "acme/proxyv2:1.25.2";
const spec = {
  containers: [{ name: "app", image: "acme/app:2" }],
  initContainers: [
    { name: "istio-init", image: proxyImage },
    { name: "istio-proxy", image: proxyImage, restartPolicy: "Always" },
  ],
};
const times = { startedAt: "2026-11-20T10:00:00Z", finishedAt: "2026-11-20T10:00:09Z", containerID: "containerd://a" };
const initialised = {
  name: "istio-init",
  image: proxyImage,
  imageID: "sha256:a",
  ready: true,
  started: false,
  restartCount: 0,
  state: { terminated: { exitCode: 0, reason: "Completed", ...times } },
  lastState: {},
};
const serving = {
  name: "istio-proxy",
  image: proxyImage,
  imageID: "sha256:a",
  ready: true,
  started: true,
  restartCount: 0,
  state: { running: { startedAt: times.startedAt } },
  lastState: {},
};
const app = {
  name: "app",
  image: "acme/app:2",
  imageID: "",
  ready: false,
  started: false,
  restartCount: 0,
  lastState: {},
};
const waits = (reason: string, message?: string) => ({ waiting: { reason, message } });
const initializing = { ...app, state: waits("PodInitializing") };

function conditions(unready: string): readonly object[] {
  return [
    { type: "PodReadyToStartContainers", status: "True" },
    { type: "Initialized", status: "True" },
    { type: "Ready", status: "False", reason: "ContainersNotReady", message: unready },
    { type: "ContainersReady", status: "False", reason: "ContainersNotReady", message: unready },
    { type: "PodScheduled", status: "True" },
  ];
}

function status(change: object): object {
  return {
    phase: "Pending",
    conditions: conditions("containers with unready status: [app]"),
    initContainerStatuses: [initialised, serving],
    ...change,
  };
}

const cases: Readonly<Record<string, { readonly status: unknown; readonly want: FailureCause | undefined }>> = {
  "the image of the native sidecar is not in the registry": {
    status: status({
      initContainerStatuses: [
        initialised,
        {
          ...serving,
          ready: false,
          started: false,
          state: waits(
            "ImagePullBackOff",
            `Back-off pulling image "${proxyImage}": ErrImagePull: failed to pull and unpack image: not found`,
          ),
        },
      ],
      containerStatuses: [initializing],
    }),
    want: { code: "ImagePull", container: "istio-proxy", image: proxyImage, reason: "ImagePullBackOff" },
  },
  "the first init container has no image yet, so that all others wait": {
    status: status({
      initContainerStatuses: [
        { ...initialised, ready: false, state: waits("ErrImagePull", "unauthorized") },
        { ...serving, ready: false, state: waits("PodInitializing") },
      ],
      containerStatuses: [initializing],
    }),
    want: { code: "ImagePull", container: "istio-init", image: proxyImage, reason: "ErrImagePull" },
  },
  "an application that is out of memory again and again": {
    status: status({
      phase: "Running",
      containerStatuses: [
        {
          ...app,
          restartCount: 4,
          state: waits("CrashLoopBackOff", "back-off 1m20s restarting failed container=app pod=web-1_shop(1)"),
          lastState: { terminated: { exitCode: 137, reason: "OOMKilled", ...times } },
        },
      ],
    }),
    want: { code: "Crash", container: "app", exitCode: 137, reason: "OOMKilled", restarts: 4 },
  },
  "the last words of a program stay with it: they may be a secret": {
    status: status({
      containerStatuses: [
        {
          ...app,
          restartCount: 1,
          state: { terminated: { exitCode: 1, reason: "Error", message: "token=abc", ...times } },
        },
      ],
    }),
    want: { code: "Crash", container: "app", exitCode: 1, reason: "Error", restarts: 1 },
  },
  "a program that is not in the image, in the runtime's words": {
    status: status({
      containerStatuses: [
        {
          ...app,
          restartCount: 2,
          state: waits("CrashLoopBackOff"),
          lastState: {
            terminated: {
              exitCode: 128,
              reason: "StartError",
              message: 'exec: "serve": executable file not found',
              ...times,
            },
          },
        },
      ],
    }),
    want: {
      code: "Crash",
      container: "app",
      exitCode: 128,
      reason: "StartError",
      restarts: 2,
      message: 'exec: "serve": executable file not found',
    },
  },
  "a Secret that is not there": {
    status: status({
      containerStatuses: [{ ...app, state: waits("CreateContainerConfigError", 'secret "db" not found') }],
    }),
    want: {
      code: "NotStarted",
      container: "app",
      reason: "CreateContainerConfigError",
      message: 'secret "db" not found',
    },
  },
  "no node has room": {
    status: {
      phase: "Pending",
      conditions: [
        {
          type: "PodScheduled",
          status: "False",
          reason: "Unschedulable",
          message:
            "0/12 nodes are available: 12 Insufficient cpu. preemption: 0/12 nodes are available: " +
            "12 No preemption victims found for incoming pod.",
        },
      ],
    },
    want: { code: "Unschedulable", pods: 1, message: "0/12 nodes are available: 12 Insufficient cpu" },
  },
  "its node evicted it": {
    status: { phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory.", conditions: [] },
    want: { code: "PodFailed", reason: "Evicted", message: "The node was low on resource: memory." },
  },
  "a proxy that gets no configuration": {
    status: status({
      initContainerStatuses: [initialised, { ...serving, ready: false, started: false }],
      containerStatuses: [initializing],
    }),
    want: { code: "NotReady", container: "istio-proxy" },
  },
  "an application that does not answer its probe": {
    status: status({
      phase: "Running",
      containerStatuses: [{ ...app, started: true, state: { running: { startedAt: times.startedAt } } }],
    }),
    want: { code: "NotReady", container: "app" },
  },
  "a readiness gate that nothing sets": {
    status: status({
      phase: "Running",
      conditions: conditions('corresponding condition of pod readiness gate "acme.io/lb" does not exist.'),
      containerStatuses: [{ ...app, ready: true, state: { running: {} } }],
    }),
    want: {
      code: "PodNotReady",
      message: 'corresponding condition of pod readiness gate "acme.io/lb" does not exist.',
    },
  },
  "a pod that no kubelet has seen": { status: { phase: "Pending" }, want: undefined },
  "a status of another kind": {
    status: { phase: 1, conditions: "x", containerStatuses: [null, 7, { name: 1, state: { terminated: {} } }] },
    want: undefined,
  },
  "no status": { status: null, want: undefined },
};

describe("why a pod is not ready, by its status as Kubernetes 1.36 writes it", () => {
  it.each(Object.entries(cases))("%s", (_, { status: own, want }) => {
    expect(findCause({ pods: [projectPodStatus({ metadata: {}, spec, status: own })] })).toEqual(want);
  });
});
