import {
  type VerbRequest,
  type Decision,
  describeFleet,
  type FleetStatus,
  evaluateFleet,
  type Snapshot,
  type StopRecord,
} from "#libs/plan";
import {
  makeMigrated,
  failed,
  makeCluster,
  makeLedger,
  makeRun,
  makeStop,
  makeWorkload,
  makeSnapshot,
  moved,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { makeCampaign, makeCampaignSnapshot, makeStage } from "#test/world/campaigns/campaign";
import { openRunLedger, specsOf } from "#test/world/executor";
import type { Reason } from "#libs/wording";
import { answersOf, sayComing } from "#test/world/words";
import { describe, expect, test } from "vitest";

const [a, b, c] = [makeWorkload("x/a"), makeWorkload("y/b"), makeWorkload("z/c")];

/** The status of a snapshot with these decisions. */
function tell(snapshot: Snapshot, decisions: readonly Decision[] = []): FleetStatus {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("main does not parse");
  const { judged, views } = evaluateFleet(snapshot, head);
  return describeFleet(snapshot, head, judged, views, decisions);
}

const fleet = (...clusters: readonly ReturnType<typeof makeCluster>[]) =>
  new Map(clusters.map((each) => [each.name, each]));
const snapshotOf = (workloads: readonly (typeof a)[], change: Partial<Snapshot> = {}) =>
  makeSnapshot({ clusters: fleet(makeCluster("one", workloads)), ...change });
/** Waits without and with a command, and with an end. */
const idle: Reason = { code: "StageUnjudged" };
const forPerson: Reason = { code: "Stopped", stop: makeStop({ id: "p", scope: "all" }) };
const wait = (scope: string, reason: Reason = idle): Decision => ({ kind: "wait", scope, reason });

describe("what is done", () => {
  test("a run has figures for each cluster; failures are distinguished from other skips", () => {
    const out = makeWorkload("x/out", { annotations: { "meshroll.dev/opt-out": "no" } });
    const two = makeCluster("two", [
      makeMigrated(makeWorkload("x/d"), "new", runId),
      makeWorkload("x/e", { paused: true }),
    ]);
    const one = makeCluster("one", [
      makeMigrated(a, "new", runId),
      moved(b, "new", runId),
      c,
      failed(makeWorkload("x/f"), "new", runId),
      out,
    ]);
    const [run] = tell(makeSnapshot({ clusters: fleet(one, two) })).runs;
    const idle = 0;
    expect(run?.clusters).toEqual([
      { cluster: "one", workloads: 5, migrated: 1, idle, migrating: 1, pending: 1, waiting: 0, skipped: 2, failed: 1 },
      { cluster: "two", workloads: 2, migrated: 1, idle, migrating: 0, pending: 0, waiting: 1, skipped: 0, failed: 0 },
    ]);
    expect(run?.skipped).toMatchObject([
      { cluster: "one", workload: "x/Deployment/f", code: "ReadinessTimeout", failed: true },
      { cluster: "one", workload: "x/Deployment/out", code: "OptedOut" },
    ]);
    expect(run).toMatchObject({
      workloads: 7,
      skippedTotal: 2,
      commit: sha("head"),
      subject: "raise new",
      author: "ana",
    });
  });

  test("a cluster has counts of unmanaged, rolling and unhealthy workloads", () => {
    const bare = makeWorkload("plain/web", { template: { labels: {}, annotations: {}, hostNetwork: false }, pods: [] });
    const sick = makeWorkload("x/sick", { available: 0 });
    const one = makeCluster("one", [moved(a, "new", runId), bare, sick], {
      ageMs: 1600,
      facts: { problems: ["it lags"] },
    });
    expect(tell(makeSnapshot({ clusters: fleet(one) })).clusters).toMatchObject([
      { namespaces: 2, workloads: 3, unmanaged: 1, rolling: 1, ageSeconds: 2, mode: "act", problems: ["it lags"] },
    ]);
  });

  test("clusters with rolling workloads or a batch are named; others are not", () => {
    const batch = { run: runId, commit: sha("head"), state: "active" as const, workloads: [] };
    const clusters = fleet(
      makeCluster("busy", [moved(a, "new", runId)], { batch }),
      makeCluster("begun", [b], { batch }),
      makeCluster("left", [moved(c, "new", runId)]),
      makeCluster("quiet", [makeWorkload("x/q")]),
    );
    expect(tell(makeSnapshot({ clusters })).rollouts).toEqual([
      { cluster: "busy", run: runId, workloads: ["x/Deployment/a"] },
      { cluster: "begun", run: runId, workloads: [] },
      { cluster: "left", run: "", workloads: ["z/Deployment/c"] },
    ]);
  });

  test("actual shares have one decimal, and are 0 in an empty bucket", () => {
    expect(tell(snapshotOf([])).where).toMatchObject([
      { namespaces: 0, shares: [{ actual: 0 }, { actual: 0 }], mixed: 0 },
    ]);
    const third = snapshotOf([makeMigrated(a, "new", runId), makeMigrated(b, "new", runId), c]);
    expect(tell(third).where[0]?.shares).toMatchObject([{ actual: 33.3 }, { actual: 66.7, namespaces: 2 }]);
  });
});

describe("what happens without a person, if the run has", () => {
  const held = "nothing until a person acts";
  const pending = "2 workloads left until the fleet matches rollouts.yml";
  const until = "2026-11-19T12:00:00.000Z";
  const migrated = snapshotOf([makeMigrated(a, "new", runId)]);
  const stopped = (scope: StopRecord["scope"]) =>
    snapshotOf([a, b], { ledger: openRunLedger({ stops: { p: makeStop({ id: "p", scope }) } }) });
  const cases: readonly {
    readonly name: string;
    readonly snapshot?: Snapshot;
    readonly waits: readonly Decision[];
    readonly want: string;
  }[] = [
    { name: "no wait", waits: [], want: pending },
    { name: "a wait without a command", waits: [wait("one")], want: pending },
    {
      name: "a wait with an end",
      waits: [wait("one", { ...forPerson, until })],
      want: pending,
    },
    { name: "one of two waits is for a person", waits: [wait("one"), wait("two", forPerson)], want: held },
    {
      name: "its run is stopped, and no wait names it",
      snapshot: stopped(`run/${runId}`),
      waits: [],
      want: held,
    },
    { name: "another run is stopped", snapshot: stopped("run/aaaaaaaaaaaa"), waits: [], want: pending },
    { name: "nothing is left to move", snapshot: migrated, waits: [], want: "continues automatically" },
    {
      name: "a bake and a gate are waited for",
      snapshot: migrated,
      waits: [
        wait("one", { code: "Baking", leftMs: 1, neededMs: 2 }),
        wait("two", { code: "GatePending", gate: "g", found: { code: "NoneMigrated" }, owner: "ana" }),
      ],
      want: "continues automatically after the bake and the gates pass",
    },
  ];
  test.each(cases)("$name", ({ snapshot = snapshotOf([a, b]), waits, want }) => {
    expect(tell(snapshot, waits).next.map(sayComing)).toEqual([want]);
  });

  test("strategy OnDeploy: until when owners' deploys are awaited", () => {
    const deploys = snapshotOf([a, b], { specs: specsOf(100, { strategy: "OnDeploy" }) });
    expect(tell(deploys).next.map(sayComing)).toEqual([
      "2 workloads left, moved by deploys of their owners",
      "at 2026-12-17T12:00:00.000Z batches begin to restart the remaining workloads",
    ]);
  });

  test("7.6 with no open run: what comes of three campaigns, and how many more there are", () => {
    const campaigns = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        makeCampaign({ name: `c${index}`, stages: [{ ...makeStage("s", 100), set: { [`p${index}`]: 100 } }] }),
      );
    const snapshot = (count: number) => {
      const quiet = makeCampaignSnapshot({ clusters: fleet(makeCluster("one", [a])), ledger: { runs: {} } });
      const head = quiet.specs.get(sha("head"));
      if (head === undefined) throw new Error("no head");
      const all = new Map(campaigns(count).map((each) => [each.name, each]));
      return { ...quiet, specs: new Map(quiet.specs).set(head.commit, { ...head, campaigns: all }) };
    };
    const told = (count: number) => answersOf(tell(snapshot(count))).next.map(({ text }) => text);
    expect(told(0)).toEqual(["nothing until a change of rollouts.yml is merged"]);
    const named = (text: string): string => text.slice(0, 3);
    expect(told(3).map(named)).toEqual(["c0:", "c1:", "c2:"]);
    expect(told(6)).toHaveLength(6);
    expect(told(8).map(named).slice(0, 6)).toEqual(["c0:", "c1:", "c2:", "c3:", "c4:", "c5:"]);
    expect(told(8).at(-1)).toBe("and 2 more");
  });
});

describe("the state of the fleet", () => {
  const resume = { at: "", who: "ana", why: "" };
  const scope = `run/${runId}` as const;
  const cases = [
    { name: "a gate's stop on the run", stop: { scope, cause: "gate" }, want: "Failed" },
    { name: "a stop for failures of the run", stop: { scope, cause: "failures" }, want: "Failed" },
    { name: "a stop for failures that was ended", stop: { scope, cause: "failures", resume }, want: "InProgress" },
    {
      name: "a stop for failures of another run",
      stop: { scope: "run/aaaaaaaaaaaa", cause: "failures" },
      want: "InProgress",
    },
  ] as const;
  test.each(cases)("$name: $want", ({ stop, want }) => {
    const ledger = openRunLedger({ stops: { s: makeStop({ id: "s", ...stop }) } });
    expect(tell(snapshotOf([a], { ledger })).state).toBe(want);
  });
});

describe("what is waited for", () => {
  const hold = makeStop({ id: "h", scope: "all", strength: "propose" });
  /** No run is open, and the next stage of `up` is held. */
  const snapshot = makeCampaignSnapshot({
    campaign: makeCampaign({ stages: [{ ...makeStage("more", 100), set: { "pay-.*": 100 } }] }),
    clusters: fleet(makeCluster("one", [a])),
    ledger: { runs: {}, stops: { h: hold } },
  });
  const codes = (decisions: readonly Decision[]) =>
    tell(snapshot, decisions).waiting.map(({ scope, code }) => `${scope} ${code}`);

  test("decided waits, then those of the next stages, each once", () => {
    const [own = ""] = codes([]);
    expect(own).toBe("campaign/up StageHeld");
    const { campaign, stage } = { campaign: { name: "up", file: "campaigns/up.yml", owners: [] }, stage: "more" };
    const held: Reason = { code: "StageHeld", campaign, stage, stop: hold, more: 0 };
    expect(codes([wait("one"), { kind: "dropBatch", cluster: "one", reason: idle }])).toEqual([
      "one StageUnjudged",
      own,
    ]);
    expect(codes([wait("campaign/up", held)])).toEqual([own]);
    expect(codes([wait("campaign/up")])).toEqual(["campaign/up StageUnjudged", own]);
  });
});

describe("7.1 the source of a stop, as far as it is known", () => {
  const request: VerbRequest = { id: "v", verb: "stop", scope: "all", strength: "move", who: "ana", why: "w", at: "" };
  const recorded = (id: string) =>
    fleet(makeCluster("one", [a], { facts: { stops: { kubectl: false, recorded: { [id]: "{}" } } } }));
  const rollback: VerbRequest = { ...request, id: "r", verb: "rollback", scope: `run/${runId}` };
  const cases: readonly { readonly name: string; readonly snapshot: Partial<Snapshot>; readonly want: string }[] = [
    { name: "a verb next to a rollback", snapshot: { requests: [request, rollback] }, want: "v verb, r rollback" },
    {
      name: "an entry of a cluster that the ledger does not have",
      snapshot: { clusters: recorded("e") },
      want: "found-d68d6afbf241053f cluster",
    },
    {
      name: "an entry of a cluster that the ledger has",
      snapshot: {
        clusters: recorded("e"),
        ledger: openRunLedger({ stops: { e: makeStop({ id: "e", scope: "cluster/one", cause: "jobFailed" }) } }),
      },
      want: "e jobFailed",
    },
  ];
  test.each(cases)("$name: $want", ({ snapshot, want }) => {
    const told = tell(snapshotOf([a], snapshot)).stops.map(({ id, cause }) => `${id} ${cause}`);
    expect(told.join(", ")).toBe(want);
  });

  test("at its time it is overdue", () => {
    const overdue = (ms: number) => {
      const until = new Date(noon + ms).toISOString();
      const ledger = openRunLedger({ stops: { p: makeStop({ id: "p", scope: "all", until }) } });
      return tell(snapshotOf([a], { ledger })).stops[0]?.overdue;
    };
    expect([overdue(0), overdue(1)]).toEqual([true, false]);
  });

  test("who placed it, why, and no absent fields", () => {
    const ledger = openRunLedger({ stops: { p: makeStop({ id: "p", scope: "all" }) } });
    expect(tell(snapshotOf([a], { ledger })).stops).toEqual([
      {
        id: "p",
        scope: "all",
        strength: "move",
        cause: "verb",
        who: "ana",
        why: "because",
        from: "ledger",
        overdue: false,
        command: 'meshroll resume all --reason "…"',
      },
    ]);
  });
});

test("2.2 the status has the commands to undo and to stop", () => {
  const changes = [{ pattern: "production", from: "a", to: "b", direction: "forward" as const }];
  const run = makeRun(sha("one"), sha("base"), { id: "one", state: "done", changes });
  const { undo, stop } = tell(snapshotOf([a], { ledger: makeLedger({ runs: { one: run } }) }));
  expect([undo.command, stop.command]).toEqual([
    'meshroll rollback run/one --reason "…"',
    'meshroll pause all --reason "…"',
  ]);
  expect(stop.effect).toContain("kubectl -n meshroll-system create configmap meshroll-stop");
});
