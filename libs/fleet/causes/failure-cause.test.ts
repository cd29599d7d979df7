import { describe, expect, it } from "vitest";

import { type FailureCause, parseCause, readCause } from "./failure-cause.ts";

const written: Readonly<Record<string, FailureCause>> = {
  "an image that is not there": { code: "ImagePull", container: "app", image: "acme/app:2", reason: "ErrImagePull" },
  "a crash without a word": { code: "Crash", container: "app", exitCode: 1, restarts: 0 },
  "a crash with all its words": {
    code: "Crash",
    container: "app",
    exitCode: 128,
    restarts: 3,
    reason: "StartError",
    message: "no such file",
  },
  "a crash in a pod whose proxy is not ready": {
    code: "Crash",
    container: "app",
    unready: "istio-proxy",
    exitCode: 1,
    restarts: 5,
  },
  "a container that was not started": { code: "NotStarted", container: "app", reason: "CreateContainerConfigError" },
  "no node": { code: "Unschedulable", pods: 2, message: "0/12 nodes are available: 12 Insufficient cpu" },
  "a pod that ended": { code: "PodFailed", reason: "Evicted" },
  "a refusal": { code: "CreateRefused", message: 'admission webhook "x" denied the request: no' },
  "an init container that runs on": { code: "InitRunning", container: "migrate" },
  "a container that is not ready, of a workload": { code: "NotReady", container: "app", workload: "Deployment/web" },
  "a readiness gate": {
    code: "PodNotReady",
    message: 'corresponding condition of pod readiness gate "x" does not exist.',
  },
  "a refused restart": { code: "RestartRefused", message: "no" },
};

const forged: Readonly<Record<string, { readonly cause: unknown; readonly want: FailureCause | undefined }>> = {
  "no object": { cause: "Crash", want: undefined },
  "a code that does not exist": { cause: { code: "toString", container: "app" }, want: undefined },
  "a field is missing": { cause: { code: "Crash", container: "app", exitCode: 1 }, want: undefined },
  "a field is of another kind": { cause: { code: "NotReady", container: ["app"] }, want: undefined },
  "a count that is none": { cause: { code: "Unschedulable", pods: 1.5, message: "no" }, want: undefined },
  "a text that shows nothing": { cause: { code: "PodNotReady", message: "\u200B \n" }, want: undefined },
  "fields of others are left out": {
    cause: { code: "NotReady", container: "app", why: "x", constructor: "y" },
    want: { code: "NotReady", container: "app" },
  },
  "colours, line ends and marks of direction are cleaned": {
    cause: { code: "CreateRefused", message: "\u001B[31mno\n\u202Eway" },
    want: { code: "CreateRefused", message: "[31mno way" },
  },
  "a text without end is cut": {
    cause: { code: "CreateRefused", message: "x".repeat(100_000) },
    want: { code: "CreateRefused", message: `${"x".repeat(239)}…` },
  },
};

describe("the cause of a failure", () => {
  it.each(Object.entries(written))("%s is read back as it was written", (_, cause) => {
    expect(parseCause(JSON.stringify(cause))).toEqual(cause);
  });

  it.each(Object.entries(forged))("%s", (_, { cause, want }) => {
    expect(readCause(cause)).toEqual(want);
  });

  it("of a text that is no JSON there is none", () => {
    expect(parseCause("{crash")).toBeUndefined();
  });
});
