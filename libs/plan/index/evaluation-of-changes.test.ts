import { decide, describeFleet, NamespaceTree, evaluateFleet, type JudgedWorkload, type Snapshot } from "#libs/plan";
import type { NamespaceInventory, Workload } from "#libs/fleet";
import {
  makeMigrated,
  failed,
  makeCluster,
  makeLedger,
  makeNamespace,
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
import fc from "fast-check";
import { describe, expect, test } from "vitest";

function onTag(each: Workload): Workload {
  return { ...each, template: { labels: { "istio.io/rev": "stable" }, annotations: {}, hostNetwork: false } };
}

/** Every kind of workload, as the run of `makeSnapshot` may see it. */
const shapes: readonly ((each: Workload) => Workload)[] = [
  (each) => each,
  (each) => makeMigrated(each, "new", runId),
  (each) => moved(each, "new", runId),
  (each) => failed(each, "new", runId),
  (each) => ({ ...failed(each, "new", runId), updated: 1, pods: [{ revision: "new", count: 1, ready: 0 }] }),
  (each) => moved(each, "elsewhere", runId),
  (each) => ({ ...each, paused: true }),
  (each) => ({ ...each, onDelete: true }),
  (each) => ({ ...each, disruptionsAllowed: 0 }),
  (each) => ({ ...each, available: 1 }),
  (each) => ({ ...each, template: { ...each.template, hostNetwork: true } }),
  onTag,
  (each) => ({ ...each, template: { labels: {}, annotations: {}, hostNetwork: false } }),
  (each) => ({ ...onTag(each), replicas: 0, total: 0, updated: 0, available: 0, pods: [] }),
];

const names = ["a", "a-b", "b", "c", "d", "e"] as const;
const clusterNames = ["one", "two"] as const;

function makeInventory(name: string, reconciles: readonly number[], isUnit: boolean): NamespaceInventory {
  const workloads = reconciles.map((reconcile, index) => {
    const plain = makeWorkload(`${name}/w${index}`);
    return shapes[reconcile % shapes.length]?.(plain) ?? plain;
  });
  return makeNamespace(name, workloads, isUnit ? { "istio.io/rev": "old" } : {});
}

/** The facts of the planner; a change makes new ones. */
interface State {
  readonly fleet: Readonly<Record<(typeof clusterNames)[number], NamespaceTree>>;
  readonly now: number;
  readonly waitingSince: ReadonlyMap<string, number>;
  readonly tag: "old" | "new" | "none";
  readonly run: "open" | "done";
  readonly stop: "none" | "namespace/b" | "bucket/production" | "bucket/b" | "hold";
}

type Change = (state: State) => State;

const clusterName = fc.constantFrom(...clusterNames);
const name = fc.constantFrom(...names);
const reconcile = fc.nat(shapes.length - 1);

const putNamespace = fc
  .tuple(clusterName, name, fc.array(reconcile, { maxLength: 4 }), fc.boolean())
  .map(([cluster, namespace, reconciles, isUnit]): Change => (state) => {
    const inventory = makeInventory(namespace, reconciles, isUnit);
    return { ...state, fleet: { ...state.fleet, [cluster]: state.fleet[cluster].with(namespace, inventory) } };
  });
const dropNamespace = fc.tuple(clusterName, name).map(([cluster, namespace]): Change => (state) => ({
  ...state,
  fleet: { ...state.fleet, [cluster]: state.fleet[cluster].without(namespace) },
}));
/** Around the times at which waits (300 s) and the undo of a failure at noon (300 s) end. */
const time = fc.constantFrom(0, 299_999, 300_000, 1_319_999, 1_320_000).map((ms): Change => (state) => ({
  ...state,
  now: noon + ms,
}));
const wait = fc
  .tuple(clusterName, fc.constantFrom("a", "b"), fc.constantFrom(0, 1))
  .map(([cluster, namespace, ms]): Change => (state) => ({
    ...state,
    waitingSince: new Map([...state.waitingSince, [`${cluster}:${namespace}/Deployment/w0`, noon + ms]]),
  }));
const other = fc.oneof(
  fc.constantFrom<State["tag"]>("old", "new", "none").map((tag): Change => (state) => ({ ...state, tag })),
  fc.constantFrom("open" as const, "done" as const).map((run): Change => (state) => ({ ...state, run })),
  fc
    .constantFrom<State["stop"]>("none", "namespace/b", "bucket/production", "bucket/b", "hold")
    .map((stop): Change => (state) => ({ ...state, stop })),
);
const change = fc.oneof(
  { weight: 3, arbitrary: putNamespace },
  { weight: 1, arbitrary: dropNamespace },
  { weight: 3, arbitrary: time },
  { weight: 2, arbitrary: wait },
  { weight: 3, arbitrary: other },
);

const files = { before: makeSpec(sha("base"), 0), after: makeSpec(sha("head"), 100) };

/** The snapshot of a state, without anything cached. */
function makeStateSnapshot(state: State, isFromScratch: boolean): Snapshot {
  const { run, stop } = state;
  const head = sha("head");
  const opened = { openedAt: "2026-11-19T12:00:00.000Z", unhealthyBefore: ["a/Deployment/w0"] };
  const runs = { [runId]: makeRun(head, sha("base"), { state: run, clusters: { one: opened, two: opened } }) };
  const scope = stop === "hold" || stop === "none" ? "all" : stop;
  const placed = makeStop({ id: "s", scope, strength: stop === "hold" ? "propose" : "move" });
  const stops = stop === "none" ? {} : { s: placed };
  const copy = (tree: NamespaceTree) => (isFromScratch ? new Map(structuredClone([...tree])) : tree);
  const tags: Readonly<Record<string, string>> = state.tag === "none" ? {} : { stable: state.tag };
  const clusters = clusterNames.map((cluster) => {
    const namespaces = copy(state.fleet[cluster]);
    return [cluster, makeCluster(cluster, [], { namespaces, facts: { tags } })] as const;
  });
  const { before, after } = isFromScratch ? { before: makeSpec(sha("base"), 0), after: makeSpec(head, 100) } : files;
  return makeSnapshot({
    now: state.now,
    waitingSince: isFromScratch ? new Map(state.waitingSince) : state.waitingSince,
    ledger: makeLedger({ main: head, judged: head, runs, stops }),
    clusters: new Map(clusters),
    specs: new Map([
      [sha("base"), before],
      [head, after],
    ]),
  });
}

const readKey = ({ key }: JudgedWorkload) => key;

/** Everything that callers read of a snapshot. */
function answer(snapshot: Snapshot) {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("main does not parse");
  const decisions = decide(snapshot);
  const { judged, views } = evaluateFleet(snapshot, head);
  const states = [...judged].map(([cluster, index]) => [
    cluster,
    [...index],
    index.tree.size,
    index.collect("waiting", 2, readKey),
  ]);
  return { decisions, states, status: describeFleet(snapshot, head, judged, views, decisions) };
}

const start: State = {
  fleet: {
    one: NamespaceTree.from(
      [makeInventory("a", [6, 3], false), makeInventory("b", [6, 4, 8], false), makeInventory("c", [13], false)].map(
        (each) => [each.namespace.name, each] as const,
      ),
    ),
    two: NamespaceTree.empty.with("a", makeInventory("a", [1, 4], true)),
  },
  now: noon,
  waitingSince: new Map([["one:a/Deployment/w0", noon]]),
  tag: "old",
  run: "open",
  stop: "none",
};

describe("an incremental evaluation equals one from scratch", () => {
  test("after any changes in any order, and for an earlier snapshot", () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 25 }), (changes) => {
        const seen: { readonly state: State; readonly said: ReturnType<typeof answer> }[] = [];
        let state = start;
        for (const apply of changes) {
          state = apply(state);
          const said = answer(makeStateSnapshot(state, false));
          expect(said).toEqual(answer(makeStateSnapshot(state, true)));
          seen.push({ state, said });
        }
        for (const earlier of seen.toReversed()) {
          expect(answer(makeStateSnapshot(earlier.state, false))).toEqual(earlier.said);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("with several limits, and with several heads for one snapshot", () => {
    const snapshot = makeStateSnapshot({ ...start, run: "open" }, false);
    const { judged } = evaluateFleet(snapshot, files.after);
    const index = judged.get("one");
    const counts = [1, 3, 2].map((limit) => index?.collect("workloads", limit, readKey).length);
    expect(counts).toEqual([1, 3, 2]);
    const [before, after] = [files.before, files.after].map((head) => evaluateFleet(snapshot, head).judged.get("one"));
    expect([...(before ?? [])].map(({ desired }) => desired)).not.toEqual(
      [...(after ?? [])].map((each) => each.desired),
    );
  });

  test("for a map that its owner changed in place", () => {
    const namespaces = new Map<string, NamespaceInventory>();
    const reconcile = () => {
      const snapshot = makeSnapshot({ clusters: new Map([["one", makeCluster("one", [], { namespaces })]]) });
      const index = evaluateFleet(snapshot, files.after).judged.get("one");
      return [...(index ?? [])].map(({ key }) => key);
    };
    const seen = [reconcile()];
    namespaces.set("b", makeInventory("b", [0], false));
    namespaces.set("a", makeInventory("a", [0], false));
    seen.push(reconcile());
    namespaces.delete("b");
    namespaces.set("c", makeInventory("c", [0], false));
    seen.push(reconcile());

    const [a, b, c] = ["a", "b", "c"].map((each) => `${each}/Deployment/w0`);
    expect(seen).toEqual([[], [a, b], [a, c]]);
  });
});
