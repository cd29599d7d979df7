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
const refusal = { cluster: "east", proxy: "web-1.shop", type: "Listener", why: "no filter" } as const;
const baseline = { kind: "baseline", ratio: 1.25, baseline: 0.04 } as const;

it.each<Case>([
  { found: tried, message: "3 of 4 tried workloads failed (75 %): limit 50 %" },
  {
    found: { ...tried, minSamples: 5 },
    message: "3 of 4 tried workloads failed (75 %): limit 50 %, judged once 5 are tried",
  },
  {
    found: { ...tried, failed: 0, accepted: 8 },
    message: "0 of 4 tried workloads failed since the resume, 8 before it (0 %): limit 50 %",
  },
  {
    found: { ...tried, accepted: 8, untried: 2 },
    message: "3 of 4 tried workloads failed since the resume, 8 before it (75 %), 2 not tried: limit 50 %",
  },
  { found: pods, message: "3 of 4 pods run the expected revision (75 %): minimum 100 %" },
  { found: proxies, message: "9 of 10 proxies are synced (90 %): minimum 95 %" },
  {
    found: { ...proxies, within: 120_000 },
    message: "9 of 10 proxies are synced (90 %): minimum 95 %, within 2m",
    owner: "the mesh operator",
  },
  {
    found: { ...proxies, refused: 1, refusal },
    message:
      "9 of 10 proxies are synced (90 %): minimum 95 %; 1 refuses its configuration; web-1.shop in east refuses its Listener: no filter",
  },
  {
    found: { ...proxies, code: "RefusingProxies", refused: 2, refusal },
    message:
      "2 of 10 proxies refuse their configuration: minimum 95 % synced; web-1.shop in east refuses its Listener: no filter",
    owner: "the mesh operator",
  },
  {
    found: { ...proxies, code: "RefusingProxies", refused: 2, refusal: { ...refusal, why: "" } },
    message:
      "2 of 10 proxies refuse their configuration: minimum 95 % synced; web-1.shop in east refuses its Listener: it does not say why",
    owner: "the mesh operator",
  },
  {
    found: { code: "Measured", measured: { kind: "noValue" }, bad: 0, failureLimit: 2 },
    message: "no data: the query returned no value (0 bad measurements, fails at 2)",
    owner: "the operator of Prometheus",
  },
  {
    found: { code: "Measured", measured: { kind: "noBaseline", value: 1 }, bad: 0, failureLimit: 2 },
    message: "1, no baseline: no workload is left on the replaced revision (0 bad measurements, fails at 2)",
    owner: "the operator of Prometheus",
  },
  {
    found: { code: "Measured", measured: { kind: "missed", value: 0.06, limit: baseline }, bad: 1, failureLimit: 1 },
    message: "0.06, above 1.25 times the baseline 0.04 (1 bad measurement, fails at 1)",
    owner: "the operator of Prometheus",
  },
  {
    found: { ...pods, note: { kind: "unseen", clusters: ["two", "three"] } },
    message: "3 of 4 pods run the expected revision (75 %): minimum 100 %; two, three not seen",
    owner: "the executor of two",
  },
  {
    found: { ...pods, note: { kind: "accepted", who: "ana", why: "looked at it" } },
    message: "3 of 4 pods run the expected revision (75 %): minimum 100 %; accepted by ana: looked at it",
  },
  {
    found: { code: "NotMeasuring", note: { kind: "onNoData", verdict: "fail" } },
    message: "no data: this planner has no Prometheus (MESHROLL_PROMETHEUS_URL) (onNoData: fail)",
    owner: "the operator of the planner",
  },
])("$message", ({ found, message, owner }) => {
  expect(wordFinding(found)).toEqual({ message, ...(owner === undefined ? {} : { owner }) });
});
