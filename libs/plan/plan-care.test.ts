import { type ActiveStop, planCare, type ProgressMemory } from "#libs/plan";
import {
  arrived,
  failed,
  makeCluster,
  makeRun,
  makeSpec,
  makeWorkload,
  moved,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { makeSight, openRunLedger, type SightChange } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const a = makeWorkload("shop/a");
const stuck = moved(a, "new", runId, { observedGeneration: 2, updated: 1, available: 1, total: 2 });
const { batch } = makeSpec(sha("x"), 0).settings;
const limit = batch.readinessTimeout;
const stop: ActiveStop = { id: "s", scope: "all", strength: "move", who: "ana", why: "", at: "", from: "ledger" };
const doneLedger = openRunLedger({ runs: { [runId]: makeRun(sha("head"), sha("base"), { state: "done" }) } });

interface Case extends SightChange {
  readonly name: string;
  /** Ms between the first look and the one that is judged. */
  readonly later?: number;
  readonly want: readonly string[];
}

function look(change: SightChange, memory: ProgressMemory, after: number) {
  const { world } = makeSight({ ...change, now: noon + after });
  const settings = world.head?.settings ?? makeSpec(sha("x"), 0).settings;
  return planCare({ world, settings, now: noon + after, monotonic: after }, memory);
}

function tell({ kind, standing, write }: ReturnType<typeof planCare>[number]): string {
  return `${kind} ${write.object} ${write.object === "namespace" ? standing.workload.namespace : standing.key}`;
}

/** A namespace whose own label decides, as our relabel left it, perhaps marked. */
function relabelled(mark: Readonly<Record<string, string>>, workloads: readonly (typeof a)[]) {
  const cluster = makeCluster("one", workloads, {}, { "istio.io/rev": "new" });
  const namespaces = new Map(
    [...cluster.namespaces].map(([name, inventory]) => {
      const annotations = {
        "meshroll.dev/run": `${runId} new`,
        "meshroll.dev/previous": JSON.stringify({ labels: { "istio.io/rev": "old" } }),
        ...mark,
      };
      return [name, { ...inventory, namespace: { ...inventory.namespace, annotations } }];
    }),
  );
  return { ...cluster, namespaces };
}

/** A workload that was restarted for a revision that its namespace's label decides. */
function restarted(name: string, change: Partial<typeof a> = {}) {
  const annotations = {
    "meshroll.dev/run": `${runId} new`,
    "meshroll.dev/previous": JSON.stringify({ template: { annotations: { "meshroll.dev/restarted-for": null } } }),
  };
  const template = { labels: {}, annotations: { "meshroll.dev/restarted-for": "new" }, hostNetwork: false };
  return makeWorkload(name, { template, annotations, generation: 2, updated: 1, ...change });
}

describe("what is looked after", () => {
  const cases: readonly Case[] = [
    { name: "4.2 what moves and makes progress is left alone", workloads: [stuck], later: limit - 1, want: [] },
    {
      name: "4.6 without progress for readinessTimeout: failed and undone in one patch",
      workloads: [stuck],
      later: limit,
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "4.6 an undo is allowed under a stop, and with stale control",
      workloads: [stuck],
      later: limit,
      stops: [stop],
      control: "stale",
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "4.5 a turn with tries left tries again",
      workloads: [stuck],
      later: limit,
      settings: { batch: { ...batch, maxAttempts: 2 } },
      want: ["retry workload shop/Deployment/a"],
    },
    {
      name: "4.5 after the last try of the turn it is marked",
      workloads: [{ ...stuck, annotations: { ...stuck.annotations, "meshroll.dev/run": `${runId} new #2` } }],
      later: limit,
      settings: { batch: { ...batch, maxAttempts: 2 } },
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "4.3 one more try is a move: under a stop there is none",
      workloads: [stuck],
      later: limit,
      settings: { batch: { ...batch, maxAttempts: 2 } },
      stops: [stop],
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "4.3 nor with stale control",
      workloads: [stuck],
      later: limit,
      settings: { batch: { ...batch, maxAttempts: 2 } },
      control: "stale",
      want: ["fail workload shop/Deployment/a"],
    },
    {
      name: "3.1 the one try of a workload that was unhealthy before is undone without a mark",
      workloads: [
        { ...stuck, annotations: { ...stuck.annotations, "meshroll.dev/run": `${runId} new UnhealthyBefore` } },
      ],
      later: limit,
      want: ["undoTry workload shop/Deployment/a"],
    },
    {
      name: "4.6 pods that were injected with something else are no matter of waiting",
      workloads: [{ ...arrived(a, "new", runId), pods: [{ revision: "old", count: 2, ready: 2 }] }],
      later: 5000,
      want: ["fail workload shop/Deployment/a"],
    },
    { name: "4.6 what arrived is left alone", workloads: [arrived(a, "new", runId)], later: limit, want: [] },
    { name: "4.6 what failed already is left alone", workloads: [failed(a, "new", runId)], later: limit, want: [] },
    {
      name: "4.4 a write that head does not demand is taken back even when its run is done",
      workloads: [arrived(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      want: ["takeBack workload shop/Deployment/a"],
    },
    {
      name: "4.4 not with control that is not fresh",
      workloads: [arrived(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      control: "ahead",
      want: [],
    },
    {
      name: "4.4 not under an `all` stop",
      workloads: [arrived(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      stops: [stop],
      want: [],
    },
    {
      name: "4.4 not under kubectl's stop",
      workloads: [arrived(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      stops: [{ ...stop, id: "kubectl", scope: "cluster/one", from: "cluster" }],
      want: [],
    },
    {
      name: "4.4 but under a stop on a run",
      workloads: [arrived(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      stops: [{ ...stop, scope: `run/${runId}` }],
      want: ["takeBack workload shop/Deployment/a"],
    },
    {
      name: "4.4 not a write whose commit this executor lacks: it fetches first",
      workloads: [arrived(a, "new", "cccccccccccc")],
      percentNew: 0,
      ledger: doneLedger,
      want: [],
    },
    {
      name: "4.4 a marked undo is no such write",
      workloads: [failed(a, "new", runId)],
      percentNew: 0,
      ledger: doneLedger,
      want: [],
    },
    {
      name: "4.4 what its owner wrote after us is the owner's",
      workloads: [{ ...arrived(a, "new", runId), template: a.template }],
      percentNew: 0,
      ledger: doneLedger,
      want: [],
    },
    {
      name: "4.4 a namespace's late label goes back first, once, and nothing else with it",
      cluster: relabelled({}, [restarted("shop/a"), restarted("shop/b")]),
      percentNew: 0,
      ledger: doneLedger,
      want: ["takeBack namespace shop"],
    },
    {
      name: "5.2 a namespace fails as one: it is marked once, however many of its workloads failed",
      cluster: relabelled({}, [restarted("shop/a"), restarted("shop/b")]),
      later: limit,
      want: ["fail namespace shop"],
    },
    {
      name: "4.6 whoever looks next finishes the undo of a marked namespace, batchSize at a time",
      cluster: relabelled({ "meshroll.dev/failed": "new ReadinessTimeout 2026-11-19T12:00:00Z" }, [
        restarted("shop/a"),
        restarted("shop/b"),
        restarted("shop/c"),
      ]),
      settings: { batch: { ...batch, batchSize: 2 } },
      want: ["finishUndo workload shop/Deployment/a", "finishUndo workload shop/Deployment/b"],
    },
  ];
  test.each(cases)("$name", ({ later = 0, want, ...change }) => {
    const memory: ProgressMemory = new Map();
    look(change, memory, 0);
    expect(look(change, memory, later).map(tell)).toEqual(want);
  });
});

test("4.6 the mark and the undo are one patch, and the undo is the JSON of exactly the fields that changed", () => {
  const memory: ProgressMemory = new Map();
  look({ workloads: [stuck] }, memory, 0);
  const [care] = look({ workloads: [stuck] }, memory, limit);
  expect(care?.write.change).toEqual({
    resourceVersion: "11",
    annotations: {
      "meshroll.dev/failed": `new ReadinessTimeout ${new Date(noon + limit).toISOString()}`,
      "meshroll.dev/previous": null,
    },
    template: { labels: { "istio.io/rev": "old" } },
  });
});

test("4.6 `onWorkloadFailure: leave` only marks", () => {
  const memory: ProgressMemory = new Map();
  const change = { workloads: [stuck], settings: { onWorkloadFailure: "leave" as const } };
  look(change, memory, 0);
  const [care] = look(change, memory, limit);
  expect([care?.reverts, Object.keys(care?.write.change.annotations ?? {})]).toEqual([false, ["meshroll.dev/failed"]]);
});

test("12.1 readinessTimeout counts from the last progress, by people's time", () => {
  const memory: ProgressMemory = new Map();
  const better = { ...stuck, updated: 2, total: 3, resourceVersion: "12" };
  look({ workloads: [stuck] }, memory, 0);
  look({ workloads: [better] }, memory, limit - 1000);
  expect(look({ workloads: [better] }, memory, limit + 1000)).toEqual([]);
  expect(look({ workloads: [better] }, memory, 2 * limit).map(tell)).toEqual(["fail workload shop/Deployment/a"]);
});
