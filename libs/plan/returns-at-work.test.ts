import {
  type ClusterWorld,
  compileSpec,
  decide,
  permitPatch,
  planCare,
  type ProgressMemory,
  type World,
} from "#libs/plan";
import {
  arrived,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeStop,
  makeWorkload,
  makeWorld,
  moved,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { makeItem, makeJob, makeSight, openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const [up, down] = [sha("up"), sha("down")];
const upId = up.slice(0, 12);
const change = (from: string, to: string, direction: "forward" | "return") => [
  { pattern: "production", from, to, direction },
];
const batch = { ...makeSpec(sha("x"), 0).settings.batch, batchSize: 2 };

/** Main went to `new` and came back: the run of `down` is a return, the run before it is over. */
function makeReturn(workloads: Parameters<typeof makeCluster>[1], more: Partial<World> = {}): World {
  const specs = new Map([
    [sha("base"), makeSpec(sha("base"), 0)],
    [up, makeSpec(up, 100)],
    [down, makeSpec(down, 0, { batch: { ...batch, maxUnavailable: 1 }, rollbackBatch: batch })],
  ]);
  const forward = makeRun(up, sha("base"), { changes: change("0", "100", "forward"), state: "done" });
  const back = makeRun(down, up, { order: 2, changes: change("100", "0", "return") });
  const ledger = makeLedger({ main: down, judged: down, runs: { [forward.id]: forward, [back.id]: back } });
  const main = { head: down, ageMs: 0, contained: true, vanished: [], points: [] };
  return makeWorld({ main, specs, ledger, clusters: new Map([["one", makeCluster("one", workloads)]]), ...more });
}

/** Cluster `one` after a batch of the return with `shop/a` in it broke; the next is tried at `until`. */
function afterBreak(names: readonly string[], until: number, change: Partial<ClusterWorld> = {}): Partial<World> {
  const tried = { run: down.slice(0, 12), times: 2, reason: "refused", workloads: new Set(["shop/Deployment/a"]) };
  const cluster = makeCluster("one", names.map(there), { broken: { ...tried, until }, ...change });
  return { clusters: new Map([["one", cluster]]) };
}

const failed = { batch: { run: upId, commit: up, state: "failed", workloads: [] } } as const;

const there = (name: string) => arrived(makeWorkload(name), "new", upId);
const rolling = (name: string) => moved(makeWorkload(name), "new", upId, { updated: 1 });
const broken = (name: string) => ({ ...there(name), available: 0 });

describe("what goes back is handed out by rules of its own", () => {
  const cases: readonly { readonly name: string; readonly world: World; readonly want: string }[] = [
    { name: "2.3 by rollback.batch", world: makeReturn(["a", "b", "c"].map((n) => there(`shop/${n}`))), want: "a b" },
    {
      name: "2.3 what rolls and what is broken goes first, all at once",
      world: makeReturn([there("shop/a"), rolling("shop/x"), broken("shop/y"), rolling("shop/z")]),
      want: "x y z",
    },
    {
      name: "2.3 nobody is left for the end as unhealthy, and maxUnavailable does not count",
      world: makeReturn([broken("shop/y")]),
      want: "y",
    },
    {
      name: "2.3 before the delay between batches is over, for what is broken",
      world: makeReturn([broken("shop/y")], {
        clusters: new Map([["one", makeCluster("one", [broken("shop/y")], { batchEndedAt: Number.MAX_SAFE_INTEGER })]]),
      }),
      want: "y",
    },
    {
      name: "4.2 what serves well waits until the undone has settled",
      world: makeReturn([there("shop/a"), moved(there("shop/b"), "old", down.slice(0, 12), { updated: 1 })]),
      want: "BatchSettling",
    },
    {
      name: "8.2 it goes on while the ledger takes no push",
      world: makeReturn([there("shop/a")], { ledgerDown: "read-only" }),
      want: "LedgerDown a",
    },
    {
      name: "2.3 whose batch broke is tried again later, and is named meanwhile",
      world: makeReturn([], afterBreak(["shop/a", "shop/b"], noon + 1)),
      want: "JobFailed",
    },
    {
      name: "2.3 whose batch broke comes after all others",
      world: makeReturn([], afterBreak(["shop/a", "shop/b", "shop/c"], noon)),
      want: "b c",
    },
    { name: "2.3 and has its turn again", world: makeReturn([], afterBreak(["shop/a"], noon)), want: "a" },
    {
      name: "8.2 a job that failed does not keep the queue from it, though no stop can be recorded",
      world: makeReturn([], { ...afterBreak(["shop/b"], noon, failed), ledgerDown: "read-only" }),
      want: "LedgerDown dropBatch",
    },
  ];
  test.each(cases)("$name", ({ world, want }) => {
    const told = decide(world).map((each) => {
      if (each.kind === "handOut") return each.batch.items.map(({ name }) => name).join(" ");
      return each.kind === "wait" ? each.reason.code : each.kind;
    });
    expect(told.join(" ")).toBe(want);
  });
});

test("8.2 a job that failed stays for its stop while the ledger takes no push, where nobody goes back", () => {
  const cluster = makeCluster("one", [makeWorkload("shop/a")], failed);
  const world = makeWorld({ clusters: new Map([["one", cluster]]), ledgerDown: "full" });
  expect(decide(world).map((each) => each.kind)).toEqual(["wait"]);
});

test("8.2 while the ledger takes no push nothing new goes forward", () => {
  const world = makeWorld({
    clusters: new Map([["one", makeCluster("one", [makeWorkload("shop/a")])]]),
    ledgerDown: "full",
  });
  expect(decide(world).map((each) => (each.kind === "wait" ? each.reason.code : each.kind))).toEqual(["LedgerDown"]);
});

test("1.3 returns go first, then the oldest run", () => {
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
    // The forward run is the older one; the return came after it.
    makeRun(shop, up, { order: 2, buckets: ["shop-x"] }),
    makeRun(down, shop, { order: 3, changes: change("100", "0", "return") }),
  ];
  const ledger = makeLedger({ main: down, judged: down, runs: Object.fromEntries(runs.map((run) => [run.id, run])) });
  const cluster = makeCluster("one", [makeWorkload("shop-x/a"), there("web/a")]);
  const main = { head: down, ageMs: 0, contained: true, vanished: [], points: [] };
  const decisions = decide(makeWorld({ main, specs, ledger, clusters: new Map([["one", cluster]]) }));
  const batches = decisions.flatMap((each) => (each.kind === "handOut" ? [each.batch] : []));
  expect(batches.map(({ run, items }) => [run, items.map(({ namespace }) => namespace)])).toEqual([
    [down.slice(0, 12), ["web"]],
  ]);
});

describe("the executor's permit for what goes back", () => {
  const run = (more: Parameters<typeof makeRun>[2] = {}) =>
    makeRun(sha("head"), sha("base"), { changes: change("a", "b", "return"), ...more });
  const a = makeWorkload("shop/a");
  const full = {
    settings: { batch: { ...batch, batchSize: 1, maxUnavailable: 1 }, rollbackBatch: { ...batch, batchSize: 1 } },
  };
  const busy = moved(makeWorkload("shop/z"), "new", runId, { updated: 1 });
  const cases = [
    { name: "2.3 it heeds no wave", ledger: run({ clusters: {} }), workloads: [a], want: "go" },
    {
      name: "2.3 maxUnavailable does not hold it",
      ledger: run(),
      workloads: [a, { ...makeWorkload("shop/y"), available: 0 }],
      want: "go",
    },
    { name: "4.2 it keeps rollback.batch", ledger: run(), workloads: [a, busy], want: "wait BatchFull" },
    {
      name: "4.2 what is stuck on the way that is undone leaves the count",
      ledger: run(),
      workloads: [a, moved(makeWorkload("shop/z", {}, "new"), "old", upId, { updated: 1 })],
      want: "go",
    },
    { name: "2.3 what is broken goes at once", ledger: run(), workloads: [{ ...a, available: 0 }, busy], want: "go" },
  ];
  test.each(cases)("$name", ({ ledger, workloads, want }) => {
    const sight = makeSight({ workloads, ledger: openRunLedger({ runs: { [runId]: ledger } }), ...full });
    const standing = sight.judged.find(({ key }) => key === "shop/Deployment/a");
    const permit = permitPatch(sight.world, makeJob(), makeItem(a), standing);
    expect(permit.kind === "go" ? "go" : `${permit.kind} ${permit.reason.code}`).toBe(want);
  });
});

test("2.4 a rollback in force is permitted for a run that is over and while main does not parse", () => {
  const runs = {
    [runId]: makeRun(sha("head"), sha("base"), { state: "done", changes: change("0", "100", "forward") }),
  };
  const stop = makeStop({ id: "r", scope: `run/${runId}`, cause: "rollback", revertTo: sha("base"), now: true });
  const ledger = openRunLedger({ runs, stops: { r: stop } });
  const workload = there("shop/a");
  const stops = [{ ...stop, from: "ledger" as const }];
  const { world, judged } = makeSight({ workloads: [workload], ledger, stops });
  const item = makeItem(workload, { target: "old" });
  expect(permitPatch({ ...world, head: undefined }, makeJob(), item, judged[0])).toEqual({ kind: "go" });
  expect(permitPatch({ ...world, stops: [] }, makeJob(), item, judged[0]).kind).toBe("end");
});

test("2.3 windows do not hold what goes back", () => {
  const night = { schedule: "0 1 * * *", duration: 3_600_000, timeZone: "Europe/Berlin", atEnd: "stop" as const };
  const settings = { windows: [{ ...night, kind: "allow" as const }] };
  const workload = makeWorkload("shop/a");
  const say = (direction: "forward" | "return") => {
    const run = makeRun(sha("head"), sha("base"), { changes: change("a", "b", direction) });
    const sight = makeSight({ workloads: [workload], ledger: openRunLedger({ runs: { [runId]: run } }), settings });
    const permit = permitPatch(sight.world, makeJob(), makeItem(workload), sight.judged[0]);
    return permit.kind === "go" ? "go" : permit.reason.code;
  };
  expect([say("forward"), say("return")]).toEqual(["WindowClosed", "go"]);
});

test("2.3 another run's undo that never gets ready is given up by the return, with a mark of its own", () => {
  // Main went to `new` and came back: here the names are turned round, so that the run of `head` is the return.
  const changes = change("a", "b", "return");
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
  const memory: ProgressMemory = new Map();
  const look = (workload: typeof undone, after: number) => {
    const { world, judged } = makeSight({ workloads: [workload], ledger, now: noon + after });
    const settings = world.settings ?? makeSpec(sha("x"), 0).settings;
    return { cares: planCare({ world, settings, now: noon + after, monotonic: after }, memory), judged };
  };
  expect(look(undone, 0).cares).toEqual([]);
  const [care] = look(undone, batch.readinessTimeout).cares;
  const { annotations } = care?.write.change ?? {};

  expect([care?.kind, care?.reverts, annotations?.["meshroll.dev/run"]]).toEqual(["fail", false, `${runId} new`]);
  const marked = { ...undone, annotations: { ...undone.annotations, ...(annotations as Record<string, string>) } };
  const after = look(marked, batch.readinessTimeout + 1000);
  expect([after.cares, after.judged[0]?.standing.kind]).toEqual([[], "aside"]);
});
