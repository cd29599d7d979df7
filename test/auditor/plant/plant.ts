import type {
  AuditedCluster,
  AuditedCommit,
  AuditedObject,
  AuditedRun,
  AuditedStop,
  AuditedWrite,
  Evidence,
} from "../evidence/evidence.ts";
import { replayWrites } from "../reading/writes/replay.ts";

const sha = "abcdef0123456789abcdef0123456789abcdef01";
/** The run of the commit that asks for `new`. */
export const runId = sha.slice(0, 12);
export const file = (weight: number) => `production:\n  old: ${100 - weight}\n  new: ${weight}\n`;
export const web = "/apis/apps/v1/namespaces/shop/deployments/web";
export const api = "/apis/apps/v1/namespaces/shop/deployments/api";
export const [webKey, apiKey] = ["one:shop/Deployment/web", "one:shop/Deployment/api"];

/** No pause between batches, except in cases about it. */
const atOnce = "defaults: {batch: {delayBetweenBatches: 0s}}";

export function object(
  path: string,
  labels: Record<string, string> = { "istio.io/rev": "old" },
  extra: Partial<AuditedObject> = {},
): AuditedObject {
  const template = { labels, annotations: {}, hostNetwork: false };
  return { path, labels: {}, annotations: {}, injectedPods: 1, template, available: true, ...extra };
}

/** A request as executors send it. */
export function send(path: string, at: number, body: object, change: Partial<AuditedWrite> = {}): AuditedWrite {
  return {
    at,
    version: at,
    verb: "patch",
    path,
    user: "meshroll-executor",
    fieldManager: "meshroll",
    contentType: "application/merge-patch+json",
    status: 200,
    body,
    ...change,
  };
}

const other = (revision: string) => (revision === "old" ? "new" : "old");
const toTemplate = (revision: string) => ({ template: { metadata: { labels: { "istio.io/rev": revision } } } });

/** A move of a workload by its template's label, as executors write it. */
export function move(
  path: string,
  at: number,
  revision: string,
  run = runId,
  attempt = 1,
  change: Partial<AuditedWrite> = {},
): AuditedWrite {
  const previous = JSON.stringify({ template: { labels: { "istio.io/rev": other(revision) } } });
  const annotations = {
    "meshroll.dev/run": `${run} ${revision}${attempt > 1 ? ` #${attempt}` : ""}`,
    "meshroll.dev/previous": previous,
  };
  return send(path, at, { metadata: { resourceVersion: "1", annotations }, spec: toTemplate(revision) }, change);
}

/** The undo of a move. */
export function undo(path: string, at: number, revision = "old"): AuditedWrite {
  const annotations = { "meshroll.dev/previous": null };
  return send(path, at, { metadata: { resourceVersion: "1", annotations }, spec: toTemplate(revision) });
}

/** The owner writes the label. */
export function byOwner(path: string, at: number, revision: string): AuditedWrite {
  return send(path, at, { spec: toTemplate(revision) }, { user: "owner", fieldManager: "helm" });
}

export function commit(change: Partial<AuditedCommit> & Pick<AuditedCommit, "sha" | "at">): AuditedCommit {
  return { author: "ana", by: "ana", rollouts: file(0), settings: atOnce, campaigns: {}, ...change };
}

export const commits: readonly AuditedCommit[] = [
  commit({ sha: "0".repeat(40), at: 0 }),
  commit({ sha, at: 10, author: "meshroll", rollouts: file(100) }),
];

/** The same commits under other settings. */
export const underSettings = (settings: string, all = commits): readonly AuditedCommit[] =>
  all.map((each) => ({ ...each, settings }));

export const run = (id: string, change: Partial<AuditedRun> = {}): AuditedRun => ({
  id,
  state: "open",
  skipped: [],
  retried: {},
  ...change,
});

export const stop = (change: Partial<AuditedStop>): AuditedStop => ({
  id: "s",
  scope: "all",
  strength: "move",
  who: "ana",
  at: 15,
  ...change,
});

/** What the recorded writes lead to, where a case does not say otherwise. */
function finish(cluster: AuditedCluster): AuditedCluster {
  const { end } = replayWrites(cluster);
  const last = new Map([...cluster.before, ...cluster.created].map((each) => [each.path, each]));
  const after = [...last.values()].map((each) => {
    const state = end.get(each.path);
    if (state === undefined || each.template === undefined) return each;
    const { labels, annotations, templateLabels, templateAnnotations } = state;
    const template = { ...each.template, labels: templateLabels, annotations: templateAnnotations };
    return { ...each, labels, annotations, template };
  });
  return { ...cluster, after };
}

export function makeCluster(change: Partial<AuditedCluster>): AuditedCluster {
  const nothing = { created: [], deleted: [], writes: [], statuses: [], pods: [], kubectlStops: [], after: [] };
  const cluster = { name: "one", before: [object(web), object(api)], ...nothing, ...change };
  return change.after === undefined ? finish(cluster) : cluster;
}

/** One cluster, and an open run that moves every workload to `new`. */
export function make(cluster: Partial<AuditedCluster>, extra: Partial<Evidence> = {}): Evidence {
  const ledger = { stops: [], runs: [run(runId)] };
  return { main: commits, pushes: [], clusters: [makeCluster(cluster)], ledger, ...extra };
}

export const settled = (path: string, at: number) => ({ at, version: at, path, settled: true, available: true });
export const missing = (path: string, at: number) => ({ at, version: at, path, settled: false, available: false });

/** Evidence, and the rules that must find a breach in it, in order. */
export type PlantedCases = Readonly<Record<string, { readonly evidence: Evidence; readonly want: readonly string[] }>>;
