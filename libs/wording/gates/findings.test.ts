import { expect, it } from "vitest";

import { type GateFinding, wordFinding } from "./findings.ts";

interface Case {
  readonly found: GateFinding;
  readonly message: string;
  readonly owner?: string;
}

const tried = { code: "TriedWorkloads", failed: 3, tried: 4, maxFailureRatio: 0.5 } as const;
const pods = { code: "MatchingPods", matching: 3, all: 4, minRatio: 1 } as const;
const proxies = { code: "SyncedProxies", synced: 9, connected: 10, minSyncedRatio: 0.95 } as const;
const baseline = { kind: "baseline", ratio: 1.25, baseline: 0.04 } as const;

it.each<Case>([
  { found: tried, message: "3 of 4 tried workloads failed (75 %): at most 50 % may" },
  {
    found: { ...tried, minSamples: 5 },
    message: "3 of 4 tried workloads failed (75 %): at most 50 % may, judged from 5 tried on",
  },
  {
    found: { ...tried, failed: 0, accepted: 8 },
    message: "0 of 4 tried workloads failed since the resume, 8 before it (0 %): at most 50 % may",
  },
  {
    found: { ...tried, accepted: 8, untried: 2 },
    message: "3 of 4 tried workloads failed since the resume, 8 before it (75 %), 2 not tried: at most 50 % may",
  },
  { found: pods, message: "3 of 4 pods run what they should (75 %): at least 100 % must" },
  { found: proxies, message: "9 of 10 proxies are synced (90 %): at least 95 % must" },
  {
    found: { ...proxies, within: 120_000 },
    message: "9 of 10 proxies are synced (90 %): at least 95 % must, within 2m",
    owner: "the mesh operator",
  },
  {
    found: { code: "Measured", measured: { kind: "noValue" }, bad: 0, failureLimit: 2 },
    message: "no data: the query answered nothing (0 bad measurements so far, 2 are a failure)",
    owner: "the operator of Prometheus",
  },
  {
    found: { code: "Measured", measured: { kind: "noBaseline", value: 1 }, bad: 0, failureLimit: 2 },
    message:
      "1, no baseline: no workload is left on the replaced revision (0 bad measurements so far, 2 are a failure)",
    owner: "the operator of Prometheus",
  },
  {
    found: { code: "Measured", measured: { kind: "missed", value: 0.06, limit: baseline }, bad: 1, failureLimit: 1 },
    message: "0.06 misses 1.25 times the baseline 0.04 (1 bad measurement so far, 1 are a failure)",
    owner: "the operator of Prometheus",
  },
  {
    found: { ...pods, note: { kind: "unseen", clusters: ["two", "three"] } },
    message: "3 of 4 pods run what they should (75 %): at least 100 % must; two, three not seen",
    owner: "the executor of two",
  },
  {
    found: { ...pods, note: { kind: "accepted", who: "ana", why: "looked at it" } },
    message: "3 of 4 pods run what they should (75 %): at least 100 % must; accepted by ana: looked at it",
  },
  {
    found: { code: "NotMeasuring", note: { kind: "onNoData", verdict: "fail" } },
    message: "no data: this planner measures nothing (onNoData: fail)",
    owner: "the operator of the planner",
  },
])("$message", ({ found, message, owner }) => {
  expect(wordFinding(found)).toEqual({ message, ...(owner === undefined ? {} : { owner }) });
});
