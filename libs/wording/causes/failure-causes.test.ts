import { expect, test } from "vitest";

import { printText, renderRemediation, renderWorkloadReason } from "../index.ts";
import { type FailureCause, printCause } from "./failure-causes.ts";

const cases: readonly { readonly cause: FailureCause; readonly want: string }[] = [
  {
    cause: { code: "ImagePull", container: "istio-proxy", image: "acme/proxyv2:1.25.2", reason: "ImagePullBackOff" },
    want: "istio-proxy cannot pull acme/proxyv2:1.25.2 (ImagePullBackOff)",
  },
  {
    cause: { code: "Crash", container: "app", exitCode: 137, reason: "OOMKilled", restarts: 4 },
    want: "app exited 137 (OOMKilled), 4 restarts",
  },
  {
    cause: { code: "Crash", container: "app", exitCode: 1, reason: "Error", restarts: 1 },
    want: "app exited 1, 1 restart",
  },
  {
    cause: { code: "Crash", container: "app", exitCode: 1, reason: "Error", restarts: 5, unready: "istio-proxy" },
    want: "istio-proxy is not ready; app exited 1, 5 restarts",
  },
  {
    cause: {
      code: "Crash",
      container: "app",
      exitCode: 128,
      reason: "StartError",
      restarts: 0,
      message: "no such file",
    },
    want: "app exited 128 (StartError): no such file",
  },
  {
    cause: { code: "NotStarted", container: "app", reason: "CreateContainerConfigError", message: "no ConfigMap" },
    want: "app did not start (CreateContainerConfigError): no ConfigMap",
  },
  {
    cause: { code: "Unschedulable", pods: 2, message: "0/12 nodes are available: insufficient cpu" },
    want: "2 pods unschedulable: 0/12 nodes are available: insufficient cpu",
  },
  { cause: { code: "PodFailed", reason: "Evicted" }, want: "a pod failed (Evicted)" },
  {
    cause: { code: "CreateRefused", message: 'admission webhook "x" denied the request: no' },
    want: 'admission webhook "x" denied the request: no',
  },
  { cause: { code: "InitRunning", container: "migrate" }, want: "init container migrate has not ended" },
  { cause: { code: "NotReady", container: "istio-proxy" }, want: "istio-proxy is not ready" },
  {
    cause: { code: "ConfigRefused", container: "istio-proxy", reason: "Listener", message: "no such filter" },
    want: "istio-proxy refuses its Listener: no such filter",
  },
  { cause: { code: "PodNotReady", message: "no gate" }, want: "no gate" },
  { cause: { code: "Degraded", message: "RolloutAborted: no" }, want: "RolloutAborted: no" },
  { cause: { code: "RestartRefused", message: "no" }, want: "the API server refused to change it: no" },
];

const failed = { code: "MoveFailed", failure: "ReadinessTimeout", at: "2026-11-19T12:00:00Z" } as const;

function word(more: {
  readonly isNamespace: boolean;
  readonly cause?: FailureCause;
  readonly notPutBack?: typeof unserved;
}) {
  return printText(renderWorkloadReason({ ...failed, ...more }).message);
}

const unserved = { code: "RevisionMissing", revision: "1-24-5" };

test.each(cases)("the cause follows the reason: $want", ({ cause, want }) => {
  expect(word({ isNamespace: false, cause })).toBe(`ReadinessTimeout: ${want}`);
});

test("without a cause the reason stands alone", () => {
  expect(printCause(undefined)).toBe("");
  expect(word({ isNamespace: false })).toBe("ReadinessTimeout");
});

test("a namespace that failed as one names the workload whose pods said it", () => {
  const cause = { code: "NotReady", container: "app", workload: "Deployment/web" } as const;
  expect(word({ isNamespace: true, cause })).toBe(
    "ReadinessTimeout (its namespace failed as one, with Deployment/web): app is not ready",
  );
});

test("that it was not put back comes after the cause", () => {
  const message = word({ isNamespace: false, cause: { code: "NotReady", container: "app" }, notPutBack: unserved });
  expect(message).toMatch(/^ReadinessTimeout: app is not ready; not put back \(RevisionMissing\): /u);
});

test("what the executor reports has it too", () => {
  const cause = { code: "NotReady", container: "app" } as const;
  const reason = { code: "MoveFailed", failure: "ReadinessTimeout", workload: "shop/Deployment/web", cause } as const;
  expect(renderRemediation(reason)).toEqual({
    code: "ReadinessTimeout",
    message: "ReadinessTimeout of shop/Deployment/web: app is not ready",
  });
});
