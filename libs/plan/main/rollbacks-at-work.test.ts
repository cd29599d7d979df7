import { compileSpec, decide, permitPatch, planRemediation, type ProgressMemory, type Snapshot } from "#libs/plan";
import {
  makeMigrated,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeStop,
  makeWorkload,
  makeSnapshot,
  moved,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { makeItem, makeJob, makeExecutorView, openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const [up, down] = [sha("up"), sha("down")];
const upId = up.slice(0, 12);
const change = (from: string, to: string, direction: "forward" | "rollback") => [
  { pattern: "production", from, to, direction },
];
const batch = { ...makeSpec(sha("x"), 0).settings.batch, batchSize: 2 };

/** Main went to `new` and back: the run of `down` is a rollback, the run before it is over. */
function makeRollback(workloads: Parameters<typeof makeCluster>[1], more: Partial<Snapshot> = {}): Snapshot {
  const specs = new Map([
    [sha("base"), makeSpec(sha("base"), 0)],
    [up, makeSpec(up, 100)],
    [down, makeSpec(down, 0, { batch: { ...batch, maxUnavailable: 1 }, rollbackBatch: batch })],
  ]);
  const forward = makeRun(up, sha("base"), { changes: change("0", "100", "forward"), state: "done" });
  const back = makeRun(down, up, { order: 2, changes: change("100", "0", "rollback") });
  const ledger = makeLedger({ main: down, judged: down, runs: { [forward.id]: forward, [back.id]: back } });
  const main = { head: down, ageMs: 0, contained: true, vanished: [], points: [] };
  return makeSnapshot({ main, specs, ledger, clusters: new Map([["one", makeCluster("one", workloads)]]), ...more });
}

const failed = { batch: { run: upId, state: "failed" } } as const;

const migrated = (name: string) => makeMigrated(makeWorkload(name), "new", upId);
const rolling = (name: string) => moved(makeWorkload(name), "new", upId, { updated: 1 });
const broken = (name: string) => ({ ...migrated(name), available: 0 });

describe("how rollbacks are handed out", () => {
  const cases: readonly { readonly name: string; readonly snapshot: Snapshot; readonly want: string }[] = [
    {
      name: "2.3 in batches of rollback.batch",
      snapshot: makeRollback(["a", "b", "c"].map((n) => migrated(`shop/${n}`))),
      want: "a b",
    },
    {
      name: "2.3 rolling and broken workloads first, all at once",
      snapshot: makeRollback([migrated("shop/a"), rolling("shop/x"), broken("shop/y"), rolling("shop/z")]),
      want: "x y z",
    },
    {
      name: "4.2 healthy workloads wait until workloads of the undone move have settled",
      snapshot: makeRollback([migrated("shop/a"), moved(migrated("shop/b"), "old", down.slice(0, 12), { updated: 1 })]),
      want: "BatchSettling",
    },
    {
      name: "8.2 rollbacks continue while the ledger accepts no push",
      snapshot: makeRollback([migrated("shop/a")], { ledgerDown: "read-only" }),
      want: "LedgerDown a",
    },
    {
      name: "8.2 a failed job does not block the queue, although its stop cannot be recorded",
      snapshot: makeRollback([], {
        clusters: new Map([["one", makeCluster("one", [migrated("shop/b")], failed)]]),
        ledgerDown: "read-only",
      }),
      want: "LedgerDown dropBatch BatchInHand",
    },
  ];
  test.each(cases)("$name", ({ snapshot, want }) => {
    const told = decide(snapshot).map((each) => {
      if (each.kind === "handOut") return each.batch.items.map(({ name }) => name).join(" ");
      return each.kind === "wait" ? each.reason.code : each.kind;
    });
    expect(told.join(" ")).toBe(want);
  });
});

test("8.2 without a rollback a failed job stays in the queue while the ledger accepts no push", () => {
  const cluster = makeCluster("one", [makeWorkload("shop/a")], failed);
  const snapshot = makeSnapshot({ clusters: new Map([["one", cluster]]), ledgerDown: "full" });
  expect(decide(snapshot).map((each) => each.kind)).toEqual(["wait"]);
});

test("8.2 while the ledger accepts no push nothing new moves forward", () => {
  const snapshot = makeSnapshot({
    clusters: new Map([["one", makeCluster("one", [makeWorkload("shop/a")])]]),
    ledgerDown: "full",
  });
  expect(decide(snapshot).map((each) => (each.kind === "wait" ? each.reason.code : each.kind))).toEqual(["LedgerDown"]);
});

test("1.3 rollbacks come first, then the oldest run", () => {
  const specOf = (commit: string, percentNew: number, shop: string) => {
    const text = `production: { old: ${100 - percentNew}, new: ${percentNew} }\nshop-x: { ${shop}: 100 }\n`;
    const compiled = compileSpec(commit, text, undefined);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
    return [commit, compiled.spec] as const;
  };
  const shop = sha("shop");
  const specs = new Map([
    specOf(sha("base"), 0, "old"),
    specOf(up, 100, "old"),
    specOf(shop, 100, "new"),
    specOf(down, 0, "new"),
  ]);
  const runs = [
    makeRun(up, sha("base"), { changes: change("0", "100", "forward"), state: "done" }),
    // The forward run is the older one; the rollback came after it.
    makeRun(shop, up, { order: 2, buckets: ["shop-x"] }),
    makeRun(down, shop, { order: 3, changes: change("100", "0", "rollback") }),
  ];
  const ledger = makeLedger({ main: down, judged: down, runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
  const cluster = makeCluster("one", [makeWorkload("shop-x/a"), migrated("web/a")]);
  const main = { head: down, ageMs: 0, contained: true, vanished: [], points: [] };
  const decisions = decide(makeSnapshot({ main, specs, ledger, clusters: new Map([["one", cluster]]) }));
  const batches = decisions.flatMap((each) => (each.kind === "handOut" ? [each.batch] : []));
  expect(batches.map(({ run, items }) => [run, items.map(({ namespace }) => namespace)])).toEqual([
    [down.slice(0, 12), ["web"]],
  ]);
});

describe("the executor's permit for a rollback", () => {
  const run = (more: Parameters<typeof makeRun>[2] = {}) =>
    makeRun(sha("head"), sha("base"), { changes: change("a", "b", "rollback"), ...more });
  const a = makeWorkload("shop/a");
  const full = {
    settings: { batch: { ...batch, batchSize: 1, maxUnavailable: 1 }, rollbackBatch: { ...batch, batchSize: 1 } },
  };
  const busy = moved(makeWorkload("shop/z"), "new", runId, { updated: 1 });
  interface Case {
    readonly name: string;
    readonly ledger: ReturnType<typeof makeRun>;
    readonly workloads: readonly ReturnType<typeof makeWorkload>[];
    /** Writes of this executor that its watch has not shown yet. */
    readonly written?: string;
    readonly want: string;
  }
  const cases: readonly Case[] = [
    {
      name: "2.3 maxUnavailable does not hold a rollback",
      ledger: run(),
      workloads: [a, { ...makeWorkload("shop/y"), available: 0 }],
      want: "go",
    },
    {
      name: "4.2 a workload stuck in the move that is rolled back does not count",
      ledger: run(),
      workloads: [a, moved(makeWorkload("shop/z", {}, "new"), "old", upId, { updated: 1 })],
      want: "go",
    },
    {
      name: "2.3 a broken workload goes at once",
      ledger: run(),
      workloads: [{ ...a, available: 0 }, busy],
      want: "go",
    },
  ];
  test.each(cases)("$name", ({ ledger, workloads, want, written }) => {
    const rolling = written === undefined ? {} : { rolling: new Set([written]) };
    const runs = { [runId]: ledger };
    const view = makeExecutorView({ workloads, ledger: openRunLedger({ runs }), ...full, ...rolling });
    const state = view.judged.find(({ key }) => key === "shop/Deployment/a");
    const permit = permitPatch(view.snapshot, makeJob(), makeItem(a), state);
    expect(permit.kind === "go" ? "go" : `${permit.kind} ${permit.reason.code}`).toBe(want);
  });
});

test("2.4 a rollback in force is permitted for a run that is over and while main does not parse", () => {
  const runs = {
    [runId]: makeRun(sha("head"), sha("base"), { state: "done", changes: change("0", "100", "forward") }),
  };
  const stop = makeStop({ id: "r", scope: `run/${runId}`, cause: "rollback", revertTo: sha("base"), now: true });
  const ledger = openRunLedger({ runs, stops: { r: stop } });
  const workload = migrated("shop/a");
  const stops = [{ ...stop, from: "ledger" as const }];
  const { snapshot, judged } = makeExecutorView({ workloads: [workload], ledger, stops });
  const item = makeItem(workload, { target: "old" });
  expect(permitPatch({ ...snapshot, head: undefined }, makeJob(), item, judged[0])).toEqual({ kind: "go" });
  expect(permitPatch({ ...snapshot, stops: [] }, makeJob(), item, judged[0]).kind).toBe("end");
});

test("2.3 windows do not hold a rollback", () => {
  const night = { schedule: "0 1 * * *", duration: 3_600_000, timeZone: "Europe/Berlin", atEnd: "stop" as const };
  const settings = { windows: [{ ...night, kind: "allow" as const }] };
  const workload = makeWorkload("shop/a");
  const say = (direction: "forward" | "rollback") => {
    const run = makeRun(sha("head"), sha("base"), { changes: change("a", "b", direction) });
    const view = makeExecutorView({
      workloads: [workload],
      ledger: openRunLedger({ runs: { [runId]: run } }),
      settings,
    });
    const permit = permitPatch(view.snapshot, makeJob(), makeItem(workload), view.judged[0]);
    return permit.kind === "go" ? "go" : permit.reason.code;
  };
  expect([say("forward"), say("rollback")]).toEqual(["WindowClosed", "go"]);
});

test("2.3 a rollback gives up another run's undo that never becomes ready, with its own failure annotation", () => {
  // Main went to `new` and back; here the names are swapped, so that the run of `head` is the rollback.
  const changes = change("a", "b", "rollback");
  const ledger = openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { changes }) } });
  const undone = makeWorkload("shop/a", {
    annotations: {
      "meshroll.dev/run": `${upId} old`,
      "meshroll.dev/failed": "old ReadinessTimeout 2026-11-19T11:00:00Z",
    },
    template: { labels: { "istio.io/rev": "new" }, annotations: {}, hostNetwork: false },
    updated: 1,
    total: 3,
    available: 1,
    pods: [
      { revision: "old", count: 2, ready: 1 },
      { revision: "new", count: 1, ready: 0 },
    ],
  });
  let memory: ProgressMemory = new Map();
  const reconcile = (workload: typeof undone, after: number) => {
    const { snapshot, judged } = makeExecutorView({ workloads: [workload], ledger, now: noon + after });
    const settings = snapshot.settings ?? makeSpec(sha("x"), 0).settings;
    const { remediations, progress } = planRemediation(
      { snapshot, settings, now: noon + after, monotonic: after },
      memory,
    );
    memory = progress;
    return { cares: remediations, judged };
  };
  expect(reconcile(undone, 0).cares).toEqual([]);
  const [remediation] = reconcile(undone, batch.readinessTimeout).cares;
  const { annotations } = remediation?.write.change ?? {};

  expect([remediation?.kind, remediation?.reverts, annotations?.["meshroll.dev/run"]]).toEqual([
    "fail",
    false,
    `${runId} new`,
  ]);
  const marked = { ...undone, annotations: { ...undone.annotations, ...(annotations as Record<string, string>) } };
  const after = reconcile(marked, batch.readinessTimeout + 1000);
  expect([after.cares, after.judged[0]?.state.kind]).toEqual([[], "skipped"]);
});
