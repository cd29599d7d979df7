import { askGates, pushRecord, readGateNow, tellAnswer } from "#test/world/campaigns/ask-gates";
import { makeMigrated, makeCluster, makeWorkload, noon, runId, sha } from "#test/world/build";
import { gates, resumedByAna, makeGateStop, makeGateSnapshot, makeSyncedCluster } from "#test/world/campaigns/gates";
import { wordsOf } from "#test/world/words";
import type { RevisionFacts } from "#libs/fleet";
import { evaluateFleet } from "#libs/plan";
import { describe, expect, it, test } from "vitest";

import { readProxySyncs } from "./read-proxy-syncs.ts";
const a = makeWorkload("shop/a");
const migrated = makeMigrated(a, "new", runId);
type Proxies = NonNullable<RevisionFacts["proxies"]>;
const snapshotOf = (
  proxies: Proxies | undefined,
  lowForMs?: number,
  gate = gates.proxySync(),
  workloads = [migrated],
) =>
  makeGateSnapshot({
    gate,
    clusters: [makeSyncedCluster("one", workloads, proxies)],
    samples: lowForMs === undefined ? [] : [{ at: noon - lowForMs, value: 0, query: "" }],
  });
const low = { connected: 10, synced: 8 };

const whose = "web-1.shop in one refuses its Listener: no such filter";

describe("proxySync", () => {
  test.each([
    { name: "all are synced", proxies: { connected: 10, synced: 10 }, lowFor: 0, during: "pass", after: "pass" },
    {
      name: "exactly the minimum is synced",
      proxies: { connected: 10, synced: 9 },
      lowFor: 0,
      during: "pass",
      after: "pass",
    },
    { name: "too few, since now", proxies: low, lowFor: 0, during: "pass", after: "wait GatePending" },
    {
      name: "too few, for less than a minute",
      proxies: low,
      lowFor: 59_999,
      during: "pass",
      after: "wait GatePending",
    },
    { name: "too few, for a minute", proxies: low, lowFor: 60_000, during: "record fail", after: "record fail" },
    {
      name: "istiod reports no number",
      proxies: undefined,
      lowFor: 0,
      during: "wait GateNoData",
      after: "wait GateNoData",
    },
  ])("$name: $during, after the bake $after", ({ proxies, lowFor, during, after }) => {
    expect(tellAnswer(snapshotOf(proxies, lowFor), "during")).toBe(during);
    expect(tellAnswer(snapshotOf(proxies, lowFor, gates.proxySync({ when: "after" })), "after")).toBe(after);
  });

  it("counts the run's own proxies, not those of another run on the same target", () => {
    const of = (byNamespace: Readonly<Record<string, readonly [number, number]>>) => {
      const all = Object.values(byNamespace);
      const sum = (at: 0 | 1) => all.reduce((total, each) => total + each[at], 0);
      return snapshotOf({ connected: sum(0), synced: sum(1), byNamespace }, 60_000);
    };
    expect(tellAnswer(of({ shop: [10, 10], ads: [90, 0] }), "during")).toBe("pass");
    expect(tellAnswer(of({ shop: [10, 8], ads: [990, 990] }), "during")).toBe("record fail");
    expect(tellAnswer(of({ ads: [90, 90] }), "during")).toBe("wait GateNoData");
  });

  const refusing = (connected: number, refused: number, namespace = "shop"): Proxies => ({
    connected,
    synced: connected - refused,
    refused,
    refusals: [{ proxy: `web-1.${namespace}`, type: "Listener", why: "no such filter" }],
    byNamespace: { [namespace]: [connected, connected - refused, refused] },
  });

  test.each([
    {
      name: "so many refuse that the others are too few: it fails at once",
      proxies: refusing(10, 2),
      lowFor: 0,
      verdict: "fail",
      why: `2 of 10 proxies refuse their configuration: minimum 90 % synced; ${whose}`,
    },
    {
      name: "fewer refuse: it passes, and says so",
      proxies: refusing(10, 1),
      lowFor: 0,
      verdict: "pass",
      why: `9 of 10 proxies are synced (90 %): minimum 90 %; 1 refuses its configuration; ${whose}`,
    },
    {
      name: "some refuse and others are on their way: these have their time",
      proxies: { ...refusing(10, 1), synced: 5, byNamespace: { shop: [10, 5, 1] as const } },
      lowFor: 0,
      verdict: "pass",
      why: `5 of 10 proxies are synced (50 %): minimum 90 %, within 1m; 1 refuses its configuration; ${whose}`,
    },
    {
      name: "it is not told which ones",
      proxies: { connected: 10, synced: 0, refused: 10 },
      lowFor: 0,
      verdict: "fail",
      why: "10 of 10 proxies refuse their configuration: minimum 90 % synced",
    },
  ])("refusals: $name", ({ proxies, lowFor, verdict, why }) => {
    expect(readGateNow(snapshotOf(proxies, lowFor))).toMatchObject({ verdict, why });
  });

  it("refusals of other namespaces are not the run's", () => {
    const { connected, synced, refused, refusals = [] } = refusing(10, 5, "ads");
    const byNamespace = { ads: [10, 5, refused ?? 0], shop: [4, 4] } as const;
    const proxies = { connected: connected + 4, synced: synced + 4, refused: 5, refusals, byNamespace };
    expect(readGateNow(snapshotOf(proxies, 0))).toMatchObject({
      verdict: "pass",
      why: "4 of 4 proxies are synced (100 %): minimum 90 %",
    });
  });

  test.each([
    { after: 60_000, want: "record fail" },
    { after: 59_999, want: "pass" },
  ])("after a resume refusals have `within` too: $after ms later $want", ({ after, want }) => {
    const snapshot = snapshotOf(refusing(10, 2), 1_200_000);
    const resume = { ...resumedByAna, at: new Date(noon - after).toISOString() };
    const stop = { ...makeGateStop(), resume };
    const resumed = snapshot.ledger && { ...snapshot.ledger, stops: { [stop.id]: stop } };
    expect(tellAnswer({ ...snapshot, ledger: resumed }, "during")).toBe(want);
  });

  test.each([
    { within: 300_000, want: "record fail" },
    { within: 300_001, want: "pass" },
  ])("3.3 after a resume five minutes ago the proxies have $within ms again: $want", ({ within, want }) => {
    const snapshot = snapshotOf(low, 1_200_000, gates.proxySync({ within }));
    const stop = { ...makeGateStop(), resume: resumedByAna };
    const resumed = snapshot.ledger && { ...snapshot.ledger, stops: { [stop.id]: stop } };
    expect(tellAnswer({ ...snapshot, ledger: resumed }, "during")).toBe(want);
  });

  it("its wait has an end and an owner", () => {
    const snapshot = snapshotOf(low, 20_000, gates.proxySync({ when: "after" }));
    const answer = askGates(pushRecord(snapshot, "after"), "after");
    expect(answer.kind === "wait" ? wordsOf(answer.reason) : answer).toMatchObject({
      owner: "the mesh operator",
      until: new Date(noon + 40_000).toISOString(),
    });
  });

  it.each([
    { name: "a good reconcile between two bad ones: the time starts again", values: [0, 1, 0.5], want: "pass" },
    { name: "bad reconciles only: the time continues", values: [0, 0.8, 0.5], want: "record fail" },
  ])("$name: $want", ({ values, want }) => {
    const snapshot = makeGateSnapshot({
      gate: gates.proxySync(),
      clusters: [makeSyncedCluster("one", [migrated], low)],
      samples: values.map((value, index) => {
        return { at: noon - 90_000 + index * 45_000, query: "", ...(value === undefined ? {} : { value }) };
      }),
    });
    expect(tellAnswer(snapshot, "during")).toBe(want);
  });

  it("counts only the proxies of the run's new revision", () => {
    const ready = { webhook: true, istiod: "ready" } as const;
    const revisions = [
      { name: "old", ...ready, proxies: { connected: 100, synced: 0 } },
      { name: "new", ...ready, proxies: { connected: 10, synced: 10 } },
    ];
    const cluster = makeCluster("one", [migrated], { facts: { revisions } });
    expect(readGateNow(makeGateSnapshot({ gate: gates.proxySync(), clusters: [cluster] }))).toMatchObject({
      verdict: "pass",
      value: 1,
      why: "10 of 10 proxies are synced (100 %): minimum 90 %",
    });
  });

  it("without a migrated workload there is no data", () => {
    expect(readGateNow(snapshotOf(undefined, undefined, gates.proxySync(), [a]))).toMatchObject({
      verdict: "pass",
      why: "no migrated workload has a proxy yet",
    });
  });

  it("6.3 the ratio is over all clusters of the run that are seen", () => {
    const clusters = [
      makeSyncedCluster("one", [migrated], { connected: 90, synced: 90 }),
      makeSyncedCluster("two", [migrated], { connected: 10, synced: 5 }),
    ];
    expect(readGateNow(makeGateSnapshot({ gate: gates.proxySync(), clusters }))).toMatchObject({
      value: 0.95,
      limit: 0.9,
    });
  });

  it("if one istiod reports no number there is no data, even if the others are synced", () => {
    const clusters = [
      makeSyncedCluster("one", [migrated], { connected: 90, synced: 90 }),
      makeSyncedCluster("two", [migrated]),
    ];
    const reading = readGateNow(makeGateSnapshot({ gate: gates.proxySync(), clusters }));
    expect(reading).toMatchObject({
      verdict: "noData",
      why: "the istiods of two report no connected proxy yet, although workloads migrated",
    });
  });
  it("1.4 the built-in gate passes if istiod reports no number", () => {
    const builtIn = gates.proxySync({ minSyncedRatio: 1, onNoData: "pass" });
    expect(tellAnswer(snapshotOf(undefined, undefined, builtIn), "during")).toBe("pass");
  });

  it("keeps the present ratio, and none of clusters that are not seen", () => {
    const tell = (snapshot: ReturnType<typeof snapshotOf>, state: "open" | "done" = "open") => {
      const head = snapshot.specs.get(sha("head"));
      if (head === undefined) return [];
      const views = evaluateFleet(snapshot, head).views.map((view) => ({ ...view, run: { ...view.run, state } }));
      return readProxySyncs(snapshot, head, views);
    };
    expect(tell(snapshotOf(low))).toEqual([{ key: `${runId}/g`, ratio: 0.8, limit: 0.9 }]);
    expect(tell(snapshotOf(low), "done")).toEqual([]);
    expect(tell(snapshotOf(low, undefined, gates.restartHealth()))).toEqual([]);
    expect(tell({ ...snapshotOf(low), ledger: undefined })).toEqual([]);
    const stale = { ...makeSyncedCluster("one", [migrated], low), fresh: false };
    expect(tell(makeGateSnapshot({ gate: gates.proxySync(), clusters: [stale] }))).toEqual([]);
  });
});
