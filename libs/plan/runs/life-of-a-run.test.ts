import { decide, watchBakes } from "#libs/plan";
import {
  makeMigrated,
  failed,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeStop,
  makeSnapshot,
  moved,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { makeCampaign, makeCampaignSnapshot, makeStage } from "#test/world/campaigns/campaign";
import { a, b, clusters, runCases } from "#test/world/decide-cases";
import { gates } from "#test/world/campaigns/gates";
import { describe, expect, it } from "vitest";

const hour = 3_600_000;
const at = (ms: number) => new Date(noon + ms).toISOString();
const migrated = makeMigrated(a, "new", runId);
const one = (workload = migrated) => clusters(makeCluster("one", [workload]));
const notBegun = { clusters: {}, expected: ["one"] };
const opened = { openedAt: at(-hour), unhealthyBefore: [] };
const staged = (settings: Parameters<typeof makeStage>[2]) =>
  makeCampaign({ stages: [makeStage("all", 100, settings)] });
const unknown = gates.prometheus({ onNoData: "hold" });

describe("when a run is over", () => {
  const other = "aaaaaaaaaaaa";
  const head = sha("head");
  const ledgerOf = (...runs: readonly ReturnType<typeof makeRun>[]) =>
    makeLedger({ main: head, judged: head, runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
  const mine = makeRun(head, sha("base"));
  // It sets production to what production has.
  const idle = makeRun(head, head, { id: other, order: 0 });
  const raised = [{ pattern: "production", from: "old: 100", to: "new: 50", direction: "forward" as const }];
  const frozen = { freezes: [{ from: noon - hour, to: noon + hour, reason: "peak" }] };
  runCases({
    "6.1 a cluster that is skipped is not waited for": {
      snapshot: makeSnapshot({
        settings: { excludedClusters: ["two"] },
        ledger: ledgerOf(makeRun(head, sha("base"), { expected: ["two"] })),
        clusters: one(),
      }),
      want: ["finishRun done"],
    },
    "3.4 a run for which no cluster is there is not over, and has a wait": {
      snapshot: makeSnapshot({ ledger: ledgerOf(makeRun(head, sha("base"), { clusters: {} })) }),
      want: ["wait NoCluster"],
    },
    "3.4 nor is one whose every cluster is skipped": {
      snapshot: makeSnapshot({
        settings: { excludedClusters: ["one"] },
        ledger: ledgerOf(makeRun(head, sha("base"), { expected: ["one"] })),
        clusters: one(),
      }),
      want: ["wait NoCluster"],
    },
    "2.4 a run that the rollback of another one keeps where it is waits by that name": {
      snapshot: makeSnapshot({
        specs: new Map(
          [makeSpec(sha("base"), 0), makeSpec(sha("first"), 50), makeSpec(head, 100)].map((each) => [
            each.commit,
            each,
          ]),
        ),
        ledger: {
          ...ledgerOf(
            makeRun(sha("first"), sha("base"), {
              id: other,
              order: 0,
              state: "done",
              changes: raised,
              buckets: ["production"],
            }),
            makeRun(head, sha("first"), { buckets: ["production"] }),
          ),
          stops: {
            r: makeStop({ id: "r", scope: `run/${other}`, cause: "rollback", revertTo: sha("base"), now: true }),
          },
        },
        clusters: one(a),
      }),
      want: ["wait RollbackInForce"],
    },
    "3.4 one that was never seen is": {
      snapshot: makeSnapshot({ ledger: ledgerOf(makeRun(head, sha("base"), { expected: ["two"] })), clusters: one() }),
      want: ["wait ClusterUnreachable"],
    },
    "3.2 it is not called over while its files of before were not read": {
      snapshot: makeSnapshot({ specs: new Map([[head, makeSpec(head, 100)]]), clusters: one(a) }),
      want: ["wait CommitUnread"],
    },
    "3.3 the failures of another run do not keep it open": {
      snapshot: makeCampaignSnapshot({
        ledger: { stops: { f: makeStop({ id: "f", scope: `run/${other}`, cause: "failures" }) } },
        clusters: one(),
      }),
      want: ["finishRun done"],
    },
    "3.3 nor do a person's run its own: no proof is required": {
      snapshot: makeSnapshot({
        ledger: {
          ...ledgerOf(mine),
          stops: {
            f: makeStop({ id: "f", scope: `run/${runId}`, cause: "failures", failures: ["one:shop/Deployment/a"] }),
          },
        },
        clusters: one(failed(a, "new", runId)),
      }),
      want: ["finishRun done"],
    },
    "3.2 a person's stop on it does not, either: it holds what moves": {
      snapshot: makeCampaignSnapshot({
        ledger: { stops: { p: makeStop({ id: "p", scope: `run/${runId}` }) } },
        clusters: one(),
      }),
      want: ["finishRun done"],
    },
    "6.3 an after gate that knows nothing keeps it open, named": {
      snapshot: makeCampaignSnapshot({ campaign: staged({ gates: [{ ...unknown, when: "after" }] }), clusters: one() }),
      want: ["wait GateNoData"],
    },
    "6.3 a during gate that knows nothing keeps back what is due": {
      snapshot: makeCampaignSnapshot({
        campaign: staged({ gates: [unknown] }),
        clusters: clusters(makeCluster("one", [migrated, b])),
      }),
      want: ["wait GateNoData"],
    },
    "6.3 it is not asked before the run has begun": {
      snapshot: makeCampaignSnapshot({
        campaign: staged({ gates: [unknown] }),
        run: notBegun,
        ledger: { stops: { p: makeStop({ id: "p", scope: "campaign/up" }) } },
        clusters: one(a),
      }),
      want: ["wait Stopped"],
    },
    "6.3 what fails while a wave waits stops the run then": {
      snapshot: makeCampaignSnapshot({
        campaign: makeCampaign({
          stages: [
            makeStage("all", 100, {
              gates: [gates.restartHealth()],
              batch: { ...makeStage("x", 1).settings.batch, failurePolicy: "ContinueOnError" },
            }),
          ],
          clusters: { order: [["one"], ["two"]], delayBetweenWaves: hour },
        }),
        run: { expected: ["one", "two"], clusters: { one: { ...opened, doneAt: at(-1000) } } },
        clusters: clusters(makeCluster("one", [failed(a, "new", runId)]), makeCluster("two", [b])),
      }),
      want: ["judgeGate g fail"],
    },
    "7.1 a calendar that is closed is not told where nothing is due": {
      snapshot: makeCampaignSnapshot({ campaign: staged(frozen), clusters: one(moved(a, "new", runId)) }),
      want: [],
    },
    "1.6 a run whose change concerns no workload is empty": {
      snapshot: makeSnapshot({ ledger: ledgerOf({ ...idle, buckets: ["pay-.*"] }, mine), clusters: one(a) }),
      want: ["finishRun empty"],
    },
    "1.3 and done where a later run took its buckets": {
      snapshot: makeSnapshot({ ledger: ledgerOf(idle, mine), clusters: one(a) }),
      want: ["finishRun done"],
    },
    "1.7 one that is gone took nothing": {
      snapshot: makeSnapshot({ ledger: ledgerOf(idle, { ...mine, state: "gone" }), clusters: one(a) }),
      want: ["finishRun empty"],
    },
    "1.3 nor did an earlier one": {
      snapshot: makeSnapshot({ ledger: ledgerOf({ ...idle, order: 2 }, mine), clusters: one(a) }),
      want: ["finishRun empty"],
    },
  });

  it("1.3 the record names the newest run that took over", () => {
    const newer = makeRun(head, head, { id: "bbbbbbbbbbbb", order: 2 });
    const [ended] = decide(makeSnapshot({ ledger: ledgerOf(idle, mine, newer), clusters: one(a) }));
    expect(ended).toMatchObject({
      kind: "finishRun",
      change: { runs: [{ run: { id: other, outcome: { takenOverBy: newer.id } } }] },
    });
  });
});

describe("when a wave opens", () => {
  const noNew = { revisions: [{ name: "old", webhook: true, istiod: "ready" as const }] };
  const both = { clusters: {}, expected: ["one", "two"] };
  runCases({
    "4.5 not before the target is there": {
      snapshot: makeCampaignSnapshot({ run: notBegun, clusters: clusters(makeCluster("one", [a], { facts: noNew })) }),
      want: ["wait RevisionMissing"],
    },
    "4.5 in every cluster that would move": {
      snapshot: makeCampaignSnapshot({
        run: both,
        clusters: clusters(makeCluster("one", [a]), makeCluster("two", [b], { facts: noNew })),
      }),
      want: ["wait RevisionMissing"],
    },
    "4.5 a cluster without work of the run needs no target": {
      snapshot: makeCampaignSnapshot({
        run: both,
        clusters: clusters(makeCluster("one", [a]), makeCluster("two", [], { facts: noNew })),
      }),
      want: ["openWave one two"],
    },
    "7.1 why it does not is reported once, next to what holds those whose wave is open": {
      snapshot: makeCampaignSnapshot({
        run: { expected: ["one", "two"], clusters: { one: opened } },
        ledger: { stops: { p: makeStop({ id: "p", scope: "campaign/up" }) } },
        clusters: clusters(makeCluster("one", [a]), makeCluster("two", [b])),
      }),
      want: ["wait Stopped", "wait Stopped"],
    },
    "6.1 a cluster that joins enters it once it is seen": {
      snapshot: makeCampaignSnapshot({
        clusters: clusters(makeCluster("one", [a]), makeCluster("two", [b], { fresh: false, ageMs: 90_000 })),
      }),
      want: ["handOut one shop/a", "wait ClusterUnreachable"],
    },
  });
});

describe("6.2 a bake in progress", () => {
  const campaign = staged({ bake: hour });
  const bake = { beganAt: at(-hour), neededMs: hour, healthyMs: hour / 2, savedAt: at(-1000) };
  const baking = (change: Partial<Parameters<typeof makeCampaignSnapshot>[0]> = {}) =>
    makeCampaignSnapshot({ campaign, run: { bake }, clusters: one(), ...change });
  const watched = (snapshot: ReturnType<typeof baking>) =>
    watchBakes(snapshot).map(({ run, paused }) => `${run.id} ${paused?.code ?? "counts"}`);

  it("has its remaining time, and its end", () => {
    expect(decide(baking())).toMatchObject([
      { reason: { code: "Baking", leftMs: hour / 2, neededMs: hour, until: at(hour / 2) } },
    ]);
  });

  const cases: readonly {
    readonly name: string;
    readonly snapshot: ReturnType<typeof baking>;
    readonly want: readonly string[];
  }[] = [
    { name: "is watched", snapshot: baking(), want: [`${runId} counts`] },
    {
      name: "is watched while it is interrupted",
      snapshot: baking({ clusters: clusters(makeCluster("one", [migrated], { fresh: false })) }),
      want: [`${runId} BakeUnseen`],
    },
    { name: "is not watched before it began", snapshot: baking({ run: {} }), want: [] },
    {
      name: "is not watched when it is over",
      snapshot: baking({ run: { bake: { ...bake, healthyMs: hour } } }),
      want: [],
    },
    { name: "is not watched while a workload still has to move", snapshot: baking({ clusters: one(a) }), want: [] },
    { name: "is not watched without a ledger", snapshot: { ...baking(), ledger: undefined }, want: [] },
    {
      name: "is not watched while main's history is rewritten",
      snapshot: { ...baking(), main: { ...baking().main, contained: false } },
      want: [],
    },
  ];
  it.each(cases)("$name", ({ snapshot, want }) => expect(watched(snapshot)).toEqual(want));
});
