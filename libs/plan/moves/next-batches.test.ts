import { decide, type RunRecord, type StopRecord, type Snapshot } from "#libs/plan";
import type { Workload } from "#libs/fleet";
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
import { clusters } from "#test/world/decide-cases";
import { specOf } from "#test/world/pull-request";
import { wordsOf } from "#test/world/words";
import { describe, expect, test } from "vitest";

const { batch } = makeSpec(sha("x"), 0).settings;
const other = "bbbbbbbbbbbb";
/** Rolls towards a revision that main does not want any more, and may never get there. */
const stuck = (name: string) => moved(makeWorkload(name), "newer", other, { updated: 1 });
const sick = (name: string, change: Partial<Workload> = {}) =>
  makeWorkload(name, { available: 0, pods: [{ revision: "old", count: 2, ready: 0 }], ...change });

/** What is decided: `a/x a/y` is a batch, `Code owner` a wait. */
function tell(snapshot: Snapshot): readonly string[] {
  return decide(snapshot).map((each) => {
    if (each.kind === "wait") return `${each.reason.code} ${wordsOf(each.reason)?.owner}`;
    if (each.kind !== "handOut") return each.kind;
    return each.batch.items.map(({ namespace, name }) => `${namespace}/${name}`).join(" ");
  });
}

describe("4.2 workloads that roll to a revision main no longer wants", () => {
  const cases = [
    {
      name: "4.2 go before resting workloads, and alone: they take no new place",
      workloads: [makeWorkload("shop/a"), stuck("shop/z")],
      batchSize: 3,
      want: ["shop/z"],
    },
    {
      name: "4.2 go even if they fill the batch",
      workloads: [makeWorkload("shop/a"), stuck("shop/y"), stuck("shop/z")],
      batchSize: 1,
      want: ["shop/y"],
    },
    {
      name: "4.2 go batchSize at a time",
      workloads: [stuck("shop/x"), stuck("shop/y"), stuck("shop/z")],
      batchSize: 2,
      want: ["shop/x shop/y"],
    },
  ];
  test.each(cases)("$name", ({ workloads, batchSize, want }) => {
    const snapshot = { clusters: clusters(makeCluster("one", workloads)) };
    expect(tell(makeSnapshot({ ...snapshot, settings: { batch: { ...batch, batchSize } } }))).toEqual(want);
  });
});

describe("which workloads move forward next", () => {
  const window = { strategy: "Window" as const, batch: { ...batch, batchSize: 3 } };
  const opened = (unhealthyBefore: readonly string[]) =>
    makeRun(sha("head"), sha("base"), { clusters: { one: { openedAt: "", unhealthyBefore } } });
  const tight = { batch: { ...batch, batchSize: 5, maxUnavailable: 1 } };
  const reconcile = (
    workloads: readonly Workload[],
    settings = {},
    run: RunRecord = opened([]),
    stops: readonly StopRecord[] = [],
  ) =>
    tell(
      makeSnapshot({
        settings,
        ledger: makeLedger({
          main: sha("head"),
          judged: sha("head"),
          runs: { [runId]: run },
          stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])),
        }),
        clusters: clusters(makeCluster("one", workloads)),
      }),
    );
  const calm = makeWorkload("shop/a");

  test("3.1 workloads that were unhealthy before are tried when no other is left", () => {
    expect(reconcile([sick("shop/s"), moved(calm, "new", runId)], window)).toEqual([]);
    expect(reconcile([sick("shop/s"), { ...calm, paused: true }], window)).toEqual([
      "PausedByOwner the owners of the workloads",
    ]);
    expect(reconcile([sick("shop/s"), makeMigrated(calm, "new", runId)], window)).toEqual(["shop/s"]);
  });

  test("3.3 workloads that were unavailable when the wave opened do not count in maxUnavailable", () => {
    expect(reconcile([calm, sick("shop/s")], tight)).toEqual(["MaxUnavailable the owners of the workloads"]);
    expect(reconcile([calm, sick("shop/s")], tight, opened(["shop/Deployment/s"]))).toEqual(["shop/a"]);
    const three = { batch: { ...batch, batchSize: 4, maxUnavailable: 3 } };
    const well = ["b", "c", "d"].map((name) => makeWorkload(`shop/${name}`));
    expect(reconcile([calm, ...well, sick("shop/s"), sick("shop/t")], three)).toEqual(["shop/a"]);
  });

  test("3.1 a tag's owner is notified about tags, the workloads' owners about the rest", () => {
    const template = { labels: { "istio.io/rev": "stable" }, annotations: {}, hostNetwork: false };
    const cluster = makeCluster("one", [makeWorkload("shop/t", { template }), { ...calm, disruptionsAllowed: 0 }], {
      facts: { tags: { stable: "old" } },
    });
    expect(tell(makeSnapshot({ clusters: clusters(cluster) }))).toEqual([
      "BudgetAllowsNothing the owners of the workloads",
      "TagNotMoved the tag's owner",
    ]);
  });

  test("7.1 a stop on the first namespace does not hold the others", () => {
    const stop = makeStop({ id: "s", scope: "namespace/shop", who: "ben" });
    expect(reconcile([calm, makeWorkload("till/b")], {}, opened([]), [stop])).toEqual(["till/b"]);
    expect(reconcile([calm], {}, opened([]), [stop])).toEqual(["Stopped ben"]);
    expect(reconcile([stuck("shop/z"), makeWorkload("till/b")], {}, opened([]), [stop])).toEqual([
      "BatchSettling the owners of the workloads",
    ]);
  });
});

describe("5.2 namespaces that move as a unit", () => {
  const bare = { labels: {}, annotations: {}, hostNetwork: false };
  const unit = (name: string, change: Partial<Workload> = {}) => makeWorkload(name, { template: bare, ...change });
  /** Every workload without a label of their own is in a namespace that has it. */
  const reconcile = (workloads: readonly Workload[], batchSize: number, begun?: string) => {
    const cluster = makeCluster("one", workloads);
    const namespaces = [...cluster.namespaces].map(([name, each]) => {
      const isUnit = each.workloads.every(({ template }) => template === bare || name === begun);
      const previous = JSON.stringify({ labels: { "istio.io/rev": "old" } });
      const annotations = { "meshroll.dev/run": `${runId} new`, "meshroll.dev/previous": previous };
      const labels = { "istio.io/rev": name === begun ? "new" : "old" };
      const change = isUnit ? { labels, ...(name === begun ? { annotations } : {}) } : {};
      return [name, { ...each, namespace: { ...each.namespace, ...change } }] as const;
    });
    return tell(
      makeSnapshot({
        settings: { strategy: "Window", batch: { ...batch, batchSize } },
        clusters: clusters({ ...cluster, namespaces: new Map(namespaces) }),
      }),
    );
  };
  const restarted = (name: string) => {
    const token = { "meshroll.dev/restarted-for": "new" };
    const previous = JSON.stringify({ template: { annotations: { "meshroll.dev/restarted-for": null } } });
    const annotations = { "meshroll.dev/run": `${runId} new`, "meshroll.dev/previous": previous };
    return unit(name, { template: { ...bare, annotations: token }, annotations, updated: 1 });
  };

  test("take turns by name with workloads that move alone", () => {
    const all = [makeWorkload("b/single"), unit("a/x"), unit("c/y"), makeWorkload("d/single")];
    expect([reconcile(all, 1), reconcile(all, 2), reconcile(all, 4)]).toEqual([
      ["a/x"],
      ["a/x b/single"],
      ["a/x b/single d/single"],
    ]);
    const last = [makeWorkload("a/single"), makeWorkload("b/single"), unit("c/y")];
    expect(reconcile(last, 3)).toEqual(["c/y a/single b/single"]);
  });

  test("wait for the one whose move has begun, which continues first", () => {
    expect(reconcile([unit("a/x"), unit("b/y")], 3, "b")).toEqual(["b/y"]);
    expect(reconcile([unit("a/x"), restarted("b/y")], 3, "b")).toEqual(["NamespaceBegun the owners of the workloads"]);
    expect(reconcile([{ ...stuck("a/x"), template: bare }, unit("b/y")], 3, "b")).toEqual(["b/y"]);
  });
});

describe("1.3 two runs in one cluster", () => {
  const [mid, head] = [sha("mid"), sha("head")];
  const text = (pay: string, rest: string) => `pay-.*: { ${pay}: 100 }\nproduction: { ${rest}: 100 }\n`;
  const read = () => [
    specOf(sha("base"), text("old", "old")),
    specOf(mid, text("new", "old")),
    specOf(head, text("new", "new")),
  ];
  const first = makeRun(mid, sha("base"), { buckets: ["pay-.*"], campaign: "up" });
  const second = makeRun(head, mid, { order: 2 });
  const reconcile = (stops: readonly StopRecord[], runs: readonly RunRecord[] = [first, second]) =>
    tell(
      makeSnapshot({
        specs: new Map(read().map((spec) => [spec.commit, spec])),
        ledger: makeLedger({
          main: head,
          judged: head,
          runs: Object.fromEntries(runs.map((run) => [run.id, run])),
          stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])),
        }),
        clusters: clusters(makeCluster("one", [makeWorkload("pay-a/x"), makeWorkload("shop/y")])),
      }),
    );

  test("the older one goes first, and a batch never has workloads of both", () =>
    expect(reconcile([])).toEqual(["pay-a/x"]));

  test("a stop on the older one is named, and does not hold the newer one", () => {
    const stop = makeStop({ id: "s", scope: `run/${first.id}`, who: "ben" });
    expect(reconcile([stop])).toEqual(["Stopped ben", "shop/y"]);
  });

  test("a campaign's stop holds its own run only", () => {
    const stop = makeStop({ id: "s", scope: "campaign/up", who: "ben" });
    expect(reconcile([stop])).toEqual(["Stopped ben", "shop/y"]);
    expect(reconcile([stop], [first, { ...second, campaign: "up" }])).toEqual(["Stopped ben", "Stopped ben"]);
  });
});

describe("2.3 workloads that are rolled back", () => {
  const changes = [{ pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" as const }];
  const back = makeStop({ id: "r", scope: `run/${runId}`, cause: "rollback", revertTo: sha("base"), now: true });
  const reconcile = (workloads: readonly Workload[], settings: Parameters<typeof makeSpec>[2], batchEndedAt = 0) =>
    decide(
      makeSnapshot({
        settings: { rollbackBatch: { ...batch, batchSize: 2, delayBetweenBatches: 30_000 }, ...settings },
        ledger: makeLedger({
          main: sha("head"),
          judged: sha("head"),
          runs: { [runId]: makeRun(sha("head"), sha("base"), { changes }) },
          stops: { r: back },
        }),
        clusters: clusters(makeCluster("one", workloads, { batchEndedAt })),
      }),
    ).map((each) => {
      if (each.kind === "handOut") return each.batch.items.map(({ name }) => name).join(" ");
      return each.kind === "wait" ? `${each.reason.code} ${each.reason.until ?? ""}`.trim() : each.kind;
    });
  const away = (name: string, change: Partial<Workload> = {}) => ({
    ...makeMigrated(makeWorkload(name), "new", runId),
    ...change,
  });
  const undoing = (name: string) => moved(makeWorkload(name, {}, "new"), "old", runId, { updated: 1 });
  const window = { strategy: "Window" as const };

  test("with Window fill only the free places", () => {
    expect(reconcile([away("shop/a"), away("shop/b"), undoing("shop/x")], window)).toEqual(["a"]);
    expect(reconcile([away("shop/a"), undoing("shop/x"), undoing("shop/y")], window)).toEqual(["BatchFull"]);
  });

  test("with Batched wait for the delay of rollback.batch, to the millisecond", () => {
    const until = new Date(noon + 1).toISOString();
    expect(reconcile([away("shop/a")], {}, noon - 29_999)).toEqual([`DelayBetweenBatches ${until}`]);
    expect(reconcile([away("shop/a")], {}, noon - 30_000)).toEqual(["a"]);
  });

  test("ignore migration-batch", () => {
    const { annotations } = away("shop/a");
    const placed = away("shop/a", { annotations: { ...annotations, "sailoperator.io/migration-batch": "7" } });
    expect(reconcile([placed, away("shop/b")], {})).toEqual(["a b"]);
  });
});
