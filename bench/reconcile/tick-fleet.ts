import { makeMeshWorkload, makeNamespace } from "#fakes/fleet";
import type { BatchJob } from "#libs/events";
import {
  createInventoryFold,
  nameClusterKey,
  nameNamespaceKey,
  printClusterFacts,
  printNamespaceInventory,
} from "#libs/events";
import type { ClusterFacts, NamespaceInventory, Workload } from "#libs/fleet";
import { testInstallation } from "#libs/input";
import { compileSpec, type LedgerState, NamespaceTree, type RunRecord, type Spec } from "#libs/plan";
import type { BatchQueue } from "#libs/queue";
import type { Clock } from "#libs/runtime";

import { createMemory, type Sources } from "../../services/planner/reconcile/gather.ts";
import { makeNamespaces } from "../fleet.ts";

const WORKLOADS_EACH = 10;
const CLUSTERS = ["eu-1", "eu-2", "us-1", "us-2", "us-3", "ap-1", "ap-2", "sa-1"];

/** The sources of a planner's reconcile for a fleet of this size, and a way to change some namespaces. */
export interface TickFleet {
  readonly sources: Sources;
  readonly workloads: number;
  /** Changes so many namespaces and prints them; returns the function that applies them to the inventory. */
  prepareChange(namespaces: number): () => void;
  /** Reference work: visits every workload once. Returns the number of replicas. */
  readonly walk: () => number;
  /** Reference work: parses every namespace as plain JSON. Returns the number of namespaces. */
  readonly parse: () => number;
}

const commits = { before: "b".repeat(40), after: "a".repeat(40) };
const run = commits.after.slice(0, 12);
const at = "2026-11-19T12:00:00.000Z";

function compile(commit: string, percentNew: number): Spec {
  const text = `production:\n  old: ${100 - percentNew}\n  new: ${percentNew}\n.*-staging:\n  old: 50\n  new: 50\n`;
  const compiled = compileSpec(commit, text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

const specs = new Map([
  [commits.before, compile(commits.before, 10)],
  [commits.after, compile(commits.after, 90)],
]);

/** A run in progress: it raises `new` from 10 % to 90 %. */
function makeLedger(): LedgerState {
  const opened = { openedAt: at, unhealthyBefore: [] };
  const record: RunRecord = {
    id: run,
    commit: commits.after,
    before: commits.before,
    order: 1,
    startedAt: at,
    author: "ana",
    subject: "raise new to 90",
    buckets: ["production"],
    changes: [{ pattern: "production", from: "old: 90, new: 10", to: "old: 10, new: 90", direction: "forward" }],
    clusters: Object.fromEntries(CLUSTERS.map((name) => [name, opened])),
    state: "open",
  };
  const baseline = { commit: commits.before, at, by: "ana", installation: testInstallation };
  const heads = { head: "c".repeat(40), main: commits.after, judged: commits.after };
  return {
    ...heads,
    sequence: 2,
    baseline,
    runs: { [run]: record },
    stops: {},
    requests: {},
    plans: {},
  };
}

/** A few workloads are outside the mesh, refused, paused by their owner, or unhealthy. */
function makeOddity(index: number): Partial<Workload> & { readonly hostNetwork?: boolean } {
  if (index % 50 === 7) return { hostNetwork: true };
  if (index % 25 === 13) return { onDelete: true };
  if (index % 390 === 29) return { paused: true };
  if (index % 250 === 31) return { available: 2 };
  return {};
}

function makeInventory(name: string, number: number): NamespaceInventory {
  const [before, after] = [commits.before, commits.after].map(
    (commit) => specs.get(commit)?.resolver.resolve(name).revision,
  );
  const revision = (number % 2 === 0 ? after : before) ?? "old";
  const workloads = Array.from({ length: WORKLOADS_EACH }, (_, index) => {
    const id = number * WORKLOADS_EACH + index;
    const sketch = { namespace: name, name: `app-${index}`, uid: `uid-${id}`, labels: { "istio.io/rev": revision } };
    return makeMeshWorkload(revision, { ...sketch, ...makeOddity(id) });
  });
  return { namespace: makeNamespace({ name, uid: `uid-${name}` }), workloads, readAt: "100" };
}

function makeFacts(cluster: string, count: number): ClusterFacts {
  const revisions = ["old", "new"].map((name) => ({ name, webhook: true, istiod: "ready" as const }));
  const stops = { kubectl: false, recorded: {} };
  return {
    cluster,
    seenAt: 1,
    count,
    uid: `uid-of-${cluster}`,
    mode: "act",
    revisions,
    tags: {},
    stops,
    problems: [],
  };
}

const clock: Clock = {
  now: () => 1_795_088_580_000,
  elapsed: () => 3_600_000,
  monotonic: () => 1000,
  sleep: async () => undefined,
  sleepReal: async () => undefined,
};

/** A queue without jobs that accepts all: what the reconcile decides is not carried out. */
const queue: BatchQueue<BatchJob> = {
  put: async () => "added",
  inspect: async () => undefined,
  drop: async () => true,
  close: async () => undefined,
};

/** The same fleet for the same size: eight clusters, ten workloads to a namespace, every fifth namespace in two clusters. */
export function makeTickFleet(workloads: number): TickFleet {
  const placed: { readonly cluster: string; value: NamespaceInventory }[] = [];
  makeNamespaces(Math.ceil(workloads / WORKLOADS_EACH / 1.2)).forEach((name, number) => {
    for (let copy = 0; copy < (number % 5 === 0 ? 2 : 1); copy++) {
      const cluster = CLUSTERS[(number + copy) % CLUSTERS.length] ?? "";
      placed.push({ cluster, value: makeInventory(name, number) });
    }
  });
  const inventory = createInventoryFold(NamespaceTree.empty);
  for (const cluster of CLUSTERS) {
    const count = placed.filter((each) => each.cluster === cluster).length;
    inventory.apply(nameClusterKey(cluster), printClusterFacts(makeFacts(cluster, count)), 1);
  }
  const print = ({ cluster, value }: (typeof placed)[number]) =>
    [nameNamespaceKey(cluster, value.namespace.name), printNamespaceInventory(value)] as const;
  const fold = ([key, text]: ReturnType<typeof print>): void => void inventory.apply(key, text, 1);
  for (const each of placed) fold(print(each));
  const ledger = makeLedger();
  const main = { head: commits.after, ageMs: 0, contained: true, vanished: [], points: [] };
  const repositorySnapshots: Sources["repositorySnapshots"] = {
    recall: async () => undefined,
    refresh: async () => ({ main, ledger, specs }),
    view: () => ({ main, ledger, specs }),
    adopt: async () => ({ main, ledger, specs }),
    want: async () => undefined,
    contains: async () => true,
    hasRecorded: async () => true,
  };
  let turn = 0;
  return {
    sources: {
      repositorySnapshots,
      inventory,
      requests: new Map(),
      queue,
      clock,
      memory: createMemory(),
      deadline: { isDone: async (work) => work.then(() => true) },
      onFault: (error) => {
        throw error;
      },
    },
    workloads: placed.length * WORKLOADS_EACH,
    walk: () => {
      let replicas = 0;
      for (const { value } of placed) for (const each of value.workloads) replicas += each.replicas;
      return replicas;
    },
    parse: () => placed.map((each) => JSON.parse(print(each)[1]) as unknown).length,
    prepareChange(namespaces) {
      const changed = Array.from({ length: namespaces }, () => {
        turn += 1;
        // The stride is coprime to the number of namespaces, so it reaches all of them.
        const each = placed[(turn * 7919) % placed.length];
        if (each === undefined) throw new Error("there is no namespace");
        const [first, ...rest] = each.value.workloads;
        const other = first === undefined ? [] : [{ ...first, resourceVersion: String(100 + turn) }];
        each.value = { ...each.value, workloads: [...other, ...rest], readAt: String(100 + turn) };
        return print(each);
      });
      return () => changed.forEach(fold);
    },
  };
}
