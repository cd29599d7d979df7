import { builtInSettings } from "#libs/campaign";
import type { Snapshot } from "#libs/plan";
import { describe } from "vitest";

import { makeMigrated, failed, makeCluster, makeLedger, makeStop, makeWorkload, noon, runId, sha } from "./build.ts";
import { makeCampaign, makeCampaignSnapshot, makeStage } from "./campaigns/campaign.ts";
import { a, b, clusters, runCases } from "./decide-cases.ts";

const migrated = makeMigrated(a, "new", runId);
const at = (ms: number) => new Date(noon + ms).toISOString();
const opened = { openedAt: at(-3_600_000), unhealthyBefore: [] };
const inOrder = (order: readonly (readonly string[])[], more = {}) =>
  makeCampaign({ clusters: { order, delayBetweenWaves: 0, ...more } });
const two = (one = a, other = b) => clusters(makeCluster("one", [one]), makeCluster("two", [other]));
const minutes = (count: number) => count * 60_000;

describe("waves", () => {
  const both = { expected: ["one", "two"], clusters: {} };
  const first = { expected: ["one", "two"], clusters: { one: opened } };
  const over = { one: { ...opened, doneAt: at(-minutes(5)) } };
  runCases({
    "6.1 without an order all clusters are one wave": {
      snapshot: makeCampaignSnapshot({ run: both, clusters: two() }),
      want: ["openWave one two"],
    },
    "6.1 the first wave opens alone": {
      snapshot: makeCampaignSnapshot({ campaign: inOrder([["two"], ["one"]]), run: both, clusters: two() }),
      want: ["openWave two"],
    },
    "6.1 clusters that the order does not name come last": {
      snapshot: makeCampaignSnapshot({ campaign: inOrder([["two"]]), run: both, clusters: two() }),
      want: ["openWave two"],
    },
    "6.1 the next wave waits until nothing is left in the one before": {
      snapshot: makeCampaignSnapshot({ campaign: inOrder([["one"], ["two"]]), run: first, clusters: two() }),
      want: ["handOut one shop/a", "wait WaveClosed"],
    },
    "6.1 the next wave opens when the one before has ended": {
      snapshot: makeCampaignSnapshot({ campaign: inOrder([["one"], ["two"]]), run: first, clusters: two(migrated) }),
      want: ["openWave two"],
    },
    "6.1 a delay between waves counts from a recorded end": {
      snapshot: makeCampaignSnapshot({
        campaign: inOrder([["one"], ["two"]], { delayBetweenWaves: minutes(30) }),
        run: first,
        clusters: two(migrated),
      }),
      want: ["closeWave one"],
    },
    "6.1 the next wave waits, by name, until the delay is over": {
      snapshot: makeCampaignSnapshot({
        campaign: inOrder([["one"], ["two"]], { delayBetweenWaves: minutes(30) }),
        run: { ...first, clusters: over },
        clusters: two(migrated),
      }),
      want: ["wait DelayBetweenWaves"],
    },
    "6.1 the next wave opens after the delay": {
      snapshot: makeCampaignSnapshot({
        campaign: inOrder([["one"], ["two"]], { delayBetweenWaves: minutes(5) }),
        run: { ...first, clusters: over },
        clusters: two(migrated),
      }),
      want: ["openWave two"],
    },
    "6.1 concurrency limits how many clusters of a wave are open": {
      snapshot: makeCampaignSnapshot({
        campaign: inOrder([["one", "two"]], { concurrency: 1 }),
        run: both,
        clusters: two(),
      }),
      want: ["openWave one"],
    },
    "6.1 an unreachable cluster holds back the next wave only": {
      snapshot: makeCampaignSnapshot({
        campaign: inOrder([["one"], ["two"]]),
        run: first,
        clusters: clusters(makeCluster("one", [migrated], { fresh: false, ageMs: 90_000 }), makeCluster("two", [b])),
      }),
      want: ["wait ClusterUnreachable", "wait WaveClosed"],
    },
    "6.1 a cluster that joins mid-run enters the last wave": {
      snapshot: makeCampaignSnapshot({
        campaign: inOrder([["two"], ["one"]]),
        run: { expected: ["one"], clusters: { one: opened } },
        clusters: two(),
      }),
      want: ["openWave two"],
    },
    "7.1 no wave opens under a pause of the campaign": {
      snapshot: makeCampaignSnapshot({
        run: both,
        ledger: { stops: { p: makeStop({ id: "p", scope: "campaign/up" }) } },
        clusters: two(),
      }),
      want: ["wait Stopped"],
    },
    "2.3 a rollback ignores waves": {
      snapshot: makeCampaignSnapshot({
        campaign: inOrder([["one"], ["two"]]),
        run: {
          ...both,
          changes: [{ pattern: "production", from: "x", to: "y", direction: "rollback" }],
        },
        clusters: two(),
      }),
      want: ["openWave one two"],
    },
  });
});

describe("bakes", () => {
  const hour = minutes(60);
  const campaign = makeCampaign({ stages: [makeStage("all", 100, { bake: hour })] });
  const bake = { beganAt: at(-hour), neededMs: hour, healthyMs: minutes(30), savedAt: at(-minutes(3)) };
  const baking = (healthyMs: number, change: Partial<Snapshot> = {}, record = {}) =>
    makeCampaignSnapshot({
      campaign,
      run: { bake: { ...bake, ...record } },
      clusters: clusters(makeCluster("one", [migrated])),
      snapshot: { bakes: new Map([[runId, { healthyMs }]]), ...change },
    });
  const reason = { code: "BakeUnhealthy", workloads: ["x"], total: 1 } as const;
  const fleet = (...workloads: Parameters<typeof makeCluster>[1]) => clusters(makeCluster("one", workloads));
  runCases({
    "6.2 a bake begins when nothing is left": {
      snapshot: makeCampaignSnapshot({ campaign, clusters: clusters(makeCluster("one", [migrated])) }),
      want: ["saveBake began"],
    },
    "6.2 the bake is a named wait": { snapshot: baking(minutes(1)), want: ["wait Baking"] },
    "6.2 the bake is saved at each fiftieth": { snapshot: baking(minutes(1.2)), want: ["saveBake progress"] },
    "6.2 the bake ends when the run was seen healthy for its whole time": {
      snapshot: baking(minutes(30)),
      want: ["saveBake over"],
    },
    "6.2 after the bake the run is done": { snapshot: baking(0, {}, { healthyMs: hour }), want: ["finishRun done"] },
    "6.2 an interruption is saved": {
      snapshot: baking(0, { bakes: new Map([[runId, { healthyMs: minutes(1), paused: reason, pausedMs: 30_000 }]]) }),
      want: ["saveBake paused"],
    },
    "6.2 an interruption is saved once until the next step, and is a named wait": {
      snapshot: baking(0, { bakes: new Map([[runId, { healthyMs: minutes(1), paused: reason }]]) }, { paused: "it" }),
      want: ["wait BakeUnhealthy"],
    },
    "6.2 a new planner goes on from the last figure": {
      snapshot: baking(0, { bakes: new Map() }),
      want: ["wait Baking"],
    },
    "6.2 a workload that has to move during the bake restarts it": {
      snapshot: baking(0, { clusters: fleet(migrated, b) }),
      want: ["restartBake"],
    },
    "6.2 it also restarts a bake that had ended while the run waits for something else": {
      snapshot: baking(0, { clusters: fleet(migrated, b) }, { healthyMs: hour }),
      want: ["restartBake"],
    },
    "6.2 a workload moves at once while the run has no bake's record": {
      snapshot: makeCampaignSnapshot({ campaign, clusters: fleet(migrated, b) }),
      want: ["handOut one shop/b"],
    },
    "6.2 while a workload waits for its owner the bake is interrupted and keeps its time": {
      snapshot: baking(0, { clusters: fleet(migrated, { ...b, disruptionsAllowed: 0 }) }),
      want: ["wait BudgetAllowsNothing"],
    },
    "1.6 an empty run is done at once, without a bake": {
      snapshot: makeCampaignSnapshot({ campaign, clusters: clusters(makeCluster("one", [])) }),
      want: ["finishRun empty"],
    },
    "6.2 a run whose workloads are all skipped does not bake and proves nothing": {
      snapshot: makeCampaignSnapshot({
        campaign: { ...campaign, replaces: ["other"] },
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: ["wait NoEvidence"],
    },
    "2.3 a rollback has no bake": {
      snapshot: makeCampaignSnapshot({
        campaign,
        run: { changes: [{ pattern: "production", from: "x", to: "y", direction: "rollback" }] },
        clusters: clusters(makeCluster("one", [migrated])),
      }),
      want: ["finishRun done"],
    },
  });
});

describe("windows and freezes", () => {
  const freezes = [{ from: noon - 1, to: noon + hours(2), reason: "peak" }];
  const frozen = makeCampaign({ stages: [makeStage("all", 100, { freezes })] });
  const window = { kind: "allow", schedule: "0 1 * * *", duration: hours(1), timeZone: "Europe/Berlin" } as const;
  const windowed = (atEnd: "finishBatch" | "finishStage") =>
    makeCampaign({ stages: [makeStage("all", 100, { windows: [{ ...window, atEnd }] })] });
  const one = clusters(makeCluster("one", [a]));
  runCases({
    "7.1 a freeze stops a forward run, by name": {
      snapshot: makeCampaignSnapshot({ campaign: frozen, clusters: one }),
      want: ["wait Frozen"],
    },
    "7.1 during a freeze no wave opens": {
      snapshot: makeCampaignSnapshot({ campaign: frozen, run: { clusters: {}, expected: ["one"] }, clusters: one }),
      want: ["wait Frozen"],
    },
    "7.1 a closed window stops a forward run": {
      snapshot: makeCampaignSnapshot({ campaign: windowed("finishBatch"), clusters: one }),
      want: ["wait WindowClosed"],
    },
    "7.1 with atEnd: finishStage a run that began continues": {
      snapshot: makeCampaignSnapshot({ campaign: windowed("finishStage"), clusters: one }),
      want: ["handOut one shop/a"],
    },
    "7.1 with atEnd: finishStage a run that did not begin waits": {
      snapshot: makeCampaignSnapshot({
        campaign: windowed("finishStage"),
        run: { clusters: {}, expected: ["one"] },
        clusters: one,
      }),
      want: ["wait WindowClosed"],
    },
    "2.3 a rollback ignores windows and freezes": {
      snapshot: makeCampaignSnapshot({
        campaign: frozen,
        run: { changes: [{ pattern: "production", from: "old: 100", to: "new: 100", direction: "rollback" }] },
        clusters: one,
      }),
      want: ["handOut one shop/a"],
    },
  });
});

function hours(count: number): number {
  return count * 3_600_000;
}

describe("what an earlier stage left over", () => {
  // The first stage's run is over; the second stage's run changes no further namespace.
  const first = { order: 1, state: "done" as const, campaign: "up", stage: "half" };
  const gated = makeCampaign({
    stages: [makeStage("half", 50), makeStage("all", 100, { gates: builtInSettings.gates })],
  });
  const mixed = (workload: ReturnType<typeof makeWorkload>) =>
    makeCampaignSnapshot({
      campaign: gated,
      run: { id: "ffffffffffff", commit: sha("head"), before: sha("head"), order: 2 },
      ledger: {},
      clusters: clusters(makeCluster("one", [workload])),
      earlier: first,
    });
  const gate = makeStop({ id: "g", scope: "run/ffffffffffff", cause: "gate", gate: "restart-health" });
  const heldByGate = { ...(mixed(a).ledger ?? makeLedger()), stops: { g: gate } };
  runCases({
    "1.3 migrated workloads belong to no run any more: the next run is empty": {
      snapshot: mixed(migrated),
      want: ["finishRun empty"],
    },
    "1.3 workloads still to move belong to the next run": { snapshot: mixed(a), want: ["handOut one shop/a"] },
    "1.3 a workload whose owner never acted does not keep a stopped run open": {
      snapshot: {
        ...mixed({ ...a, disruptionsAllowed: 0 }),
        waitingSince: new Map([["one:shop/Deployment/a", noon - hours(2)]]),
        ledger: heldByGate,
      },
      want: ["finishRun empty"],
    },
    "1.3 workloads that the earlier run gave up are not counted again": {
      snapshot: mixed(failed(a, "new", runId)),
      want: ["finishRun empty"],
    },
  });
});

describe("workloads that a campaign does not move", () => {
  const exclude = (until?: number) =>
    makeCampaign({
      exclude: [
        {
          pattern: "shop",
          matches: (name) => name === "shop",
          reason: "audit",
          ...(until === undefined ? {} : { until }),
        },
      ],
    });
  const one = clusters(makeCluster("one", [a]));
  runCases({
    "3.1 excluded workloads are skipped": {
      snapshot: makeCampaignSnapshot({ campaign: exclude(), clusters: one }),
      want: ["finishRun done"],
    },
    "3.1 an exclusion ends at its date": {
      snapshot: makeCampaignSnapshot({ campaign: exclude(noon), clusters: one }),
      want: ["handOut one shop/a"],
    },
    "1.5 a workload on a revision that it does not replace is skipped": {
      snapshot: makeCampaignSnapshot({ clusters: clusters(makeCluster("one", [makeWorkload("shop/x", {}, "older")])) }),
      want: ["wait NoEvidence"],
    },
  });
});
