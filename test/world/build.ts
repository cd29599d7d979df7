import { testInstallation } from "#libs/input";
import { makeMeshWorkload } from "#fakes/fleet";
import { builtInSettings, type Settings } from "#libs/campaign";
import type { ClusterFacts, NamespaceInventory, Workload } from "#libs/fleet";
import {
  type ClusterSnapshot,
  compileSpec,
  type LedgerState,
  nameWorkload,
  type RunRecord,
  type Spec,
  type StopRecord,
  type Snapshot,
} from "#libs/plan";

/** A readable commit id: `sha("a")` is a000…0. */
export function sha(name: string): string {
  const hex = Buffer.from(name).toString("hex");
  return hex.padEnd(40, "0").slice(0, 40);
}

/** A workload at rest, on a revision by its template's label. */
export function makeWorkload(name: string, change: Partial<Workload> = {}, revision = "old"): Workload {
  const [namespace = "ns", short = name] = name.includes("/") ? name.split("/") : ["ns", name];
  const replicas = change.replicas ?? 2;
  const sketch = { namespace, name: short, uid: `uid-${name}`, resourceVersion: "10", replicas };
  return { ...makeMeshWorkload(revision, { ...sketch, labels: { "istio.io/rev": revision } }), ...change };
}

/** The workload after our patch towards `target`, while its pods still roll. */
export function moved(workload: Workload, target: string, run: string, change: Partial<Workload> = {}): Workload {
  const before = workload.template.labels["istio.io/rev"] ?? null;
  return {
    ...workload,
    generation: workload.generation + 1,
    resourceVersion: String(Number(workload.resourceVersion) + 1),
    template: { ...workload.template, labels: { ...workload.template.labels, "istio.io/rev": target } },
    annotations: {
      ...workload.annotations,
      "meshroll.dev/run": `${run} ${target}`,
      "meshroll.dev/previous": JSON.stringify({ template: { labels: { "istio.io/rev": before } } }),
    },
    ...change,
  };
}

/** The workload after all pods run `target`. */
export function makeMigrated(workload: Workload, target: string, run: string): Workload {
  const after = moved(workload, target, run);
  return {
    ...after,
    observedGeneration: after.generation,
    pods: [{ revision: target, count: after.replicas, ready: after.replicas }],
  };
}

/** The same, with the annotation that records its arrival. */
export function arrived(workload: Workload): Workload {
  const run = workload.annotations["meshroll.dev/run"] ?? "";
  return { ...workload, annotations: { ...workload.annotations, "meshroll.dev/arrived": run } };
}

/** The workload after its move failed: annotated and put back. */
export function failed(workload: Workload, target: string, run: string, reason = "ReadinessTimeout"): Workload {
  const annotations = {
    "meshroll.dev/run": `${run} ${target}`,
    "meshroll.dev/failed": `${target} ${reason} 2026-11-19T12:00:00Z`,
  };
  return { ...workload, generation: 3, observedGeneration: 3, annotations };
}

/** The order of every published inventory. */
function byKey(a: Workload, b: Workload): number {
  return nameWorkload(a) < nameWorkload(b) ? -1 : 1;
}

export function makeNamespace(
  name: string,
  workloads: readonly Workload[],
  labels: Record<string, string> = {},
): NamespaceInventory {
  const namespace = { name, uid: `uid-${name}`, resourceVersion: "5", labels, annotations: {}, terminating: false };
  return { namespace, workloads: workloads.toSorted(byKey), readAt: "10" };
}

const revisions = ["old", "new"].map((name) => ({ name, webhook: true, istiod: "ready" as const }));

/** A fresh cluster with workloads; each namespace is the first part of a workload's name. */
export function makeCluster(
  name: string,
  workloads: readonly Workload[],
  change: Partial<Omit<ClusterSnapshot, "facts">> & { readonly facts?: Partial<ClusterFacts> } = {},
  namespaceLabels: Record<string, string> = {},
): ClusterSnapshot {
  const namespaces = new Map<string, NamespaceInventory>();
  for (const workload of workloads) {
    const before = namespaces.get(workload.namespace)?.workloads ?? [];
    namespaces.set(workload.namespace, makeNamespace(workload.namespace, [...before, workload], namespaceLabels));
  }
  const facts: ClusterFacts = {
    cluster: name,
    seenAt: 0,
    count: namespaces.size,
    uid: `kube-system-of-${name}`,
    mode: "act",
    revisions,
    tags: {},
    stops: { kubectl: false, recorded: {} },
    problems: [],
    ...change.facts,
  };
  const { facts: _, ...rest } = change;
  return { name, fresh: true, ageMs: 0, namespaces, batch: undefined, batchEndedAt: 0, ...rest, facts };
}

/** A parsed commit: `production` is shared between `old` and `new`. */
export function makeSpec(commit: string, percentNew: number, settings: Partial<Settings> = {}): Spec {
  const text = `production:\n  old: ${100 - percentNew}\n  new: ${percentNew}\n`;
  const compiled = compileSpec(commit, text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return { ...compiled.spec, settings: { ...builtInSettings, ...settings } };
}

export function makeRun(commit: string, before: string, change: Partial<RunRecord> = {}): RunRecord {
  const opened = { openedAt: "2026-11-19T12:00:00.000Z", unhealthyBefore: [] };
  return {
    id: commit.slice(0, 12),
    commit,
    before,
    order: 1,
    startedAt: "2026-11-19T12:00:00.000Z",
    author: "ana",
    subject: "raise new",
    buckets: ["production"],
    changes: [],
    clusters: { one: opened },
    state: "open",
    ...change,
  };
}

export function makeLedger(change: Partial<LedgerState> = {}): LedgerState {
  const main = change.main ?? sha("base");
  const baseline = { commit: sha("base"), at: "2026-11-19T11:00:00.000Z", by: "ana", installation: testInstallation };
  return {
    head: sha("ledger"),
    sequence: 1,
    baseline,
    main,
    judged: main,
    runs: {},
    stops: {},
    requests: {},
    plans: {},
    ...change,
  };
}

export function makeStop(change: Partial<StopRecord> & Pick<StopRecord, "id" | "scope">): StopRecord {
  return { strength: "move", at: "2026-11-19T12:00:00.000Z", who: "ana", why: "because", cause: "verb", ...change };
}

/** Thu 19 Nov 2026, 12:43 CET: the present time of the samples. */
export const noon = 1_795_088_580_000;

/** A snapshot in which the run of commit `head` is open: main gives everything to `new`. */
export function makeSnapshot(
  change: Partial<Snapshot> & { readonly settings?: Partial<Settings>; readonly percentNew?: number } = {},
): Snapshot {
  const { settings = {}, percentNew = 100, ...rest } = change;
  const [base, head] = [sha("base"), sha("head")];
  const specs = new Map([
    [base, makeSpec(base, 0)],
    [head, makeSpec(head, percentNew, settings)],
  ]);
  return {
    now: noon,
    main: { head, ageMs: 0, contained: true, vanished: [], points: [] },
    ledger: makeLedger({ main: head, judged: head, runs: { [head.slice(0, 12)]: makeRun(head, base) } }),
    specs,
    clusters: new Map(),
    requests: [],
    waitingSince: new Map(),
    queueUp: true,
    ...rest,
  };
}

/** The id of the run in `makeSnapshot`. */
export const runId = sha("head").slice(0, 12);
