import { expect, test } from "vitest";

import type { Workload } from "#libs/fleet";
import { makeCluster, makeMigrated, makeRun, makeWorkload, runId, sha } from "#test/world/build";
import { type ExecutorViewChange, makeExecutorView, openRunLedger } from "#test/world/executor";

import { type AdmissionQuestion, planAdmission } from "./plan-admission.ts";

const now = Date.parse("2026-11-19T12:00:00Z");
const [web, api] = [makeWorkload("shop/web"), makeWorkload("shop/api")];
const webMoved = makeMigrated(web, "new", runId);
const noWave = openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { clusters: {} }) } });
const pause = {
  id: "s",
  scope: "all",
  strength: "move",
  who: "ana",
  why: "x",
  at: "2026-11-19T12:30:00.000Z",
  from: "ledger",
} as const;

function view(workloads: readonly Workload[], change: Omit<ExecutorViewChange, "workloads"> = {}) {
  const cluster = makeCluster("one", workloads, { facts: { serverAt: now } });
  return makeExecutorView({ ...change, cluster, workloads });
}

function plan(question: Pick<AdmissionQuestion, "snapshot" | "workloads" | "before">) {
  return planAdmission({ ...question, minDeploymentAge: 1, templateOf: () => ({ hash: "h1", deployedAt: 0 }) });
}

test("11.1 a wave that has opened since the workloads were judged counts: the map follows the first move", () => {
  // Judgements are kept under one ownership, which an opened wave does not change.
  const { judged: workloads } = view([webMoved, api], { ledger: noWave });
  const { snapshot } = view([webMoved, api]);
  expect(plan({ snapshot, workloads, before: { revision: "old" } })).toEqual({
    revision: "new",
    "Deployment.api": "h1",
  });
});

test("11.1 while the revision cannot advance, a template that was moved is not taken back", () => {
  const facts = { serverAt: now, revisions: [{ name: "old", webhook: true, istiod: "ready" as const }] };
  const cluster = makeCluster("one", [webMoved, api], { facts });
  const { snapshot, judged: workloads } = makeExecutorView({ cluster, workloads: [webMoved, api] });
  expect(plan({ snapshot, workloads, before: { revision: "old" } })).toEqual({ revision: "old" });
});

test("11.1 a pause after the first move exposes no pod of what is not in place, and takes back none of what is", () => {
  const back: Workload = { ...web, pods: webMoved.pods, admitted: "new" };
  const { snapshot, judged: workloads } = view([back, api], { stops: [pause] });
  const before = { revision: "new", "Deployment.web": "h1", "Deployment.api": "h1" };
  expect(plan({ snapshot, workloads, before })).toEqual({ revision: "new", "Deployment.web": "h1" });
});
