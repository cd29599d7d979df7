import type { AuditedCluster, AuditedCommit, AuditedObject, Evidence } from "../evidence/evidence.ts";

export const sha = "abcdef0123456789abcdef0123456789abcdef01";
export const file = (weight: number) => `production:\n  old: ${100 - weight}\n  new: ${weight}\n`;
export const web = "/apis/apps/v1/namespaces/shop/deployments/web";
export const api = "/apis/apps/v1/namespaces/shop/deployments/api";

export function object(
  path: string,
  labels: Record<string, string> = { "istio.io/rev": "old" },
  extra: Partial<AuditedObject> = {},
): AuditedObject {
  return { path, labels: {}, injectedPods: 1, template: { labels, annotations: {}, hostNetwork: false }, ...extra };
}

export function move(path: string, at: number, revision: string, run = sha.slice(0, 12), fieldManager = "meshroll") {
  const body = {
    metadata: { annotations: { "meshroll.dev/run": `${run} ${revision}` } },
    spec: { template: { metadata: { labels: { "istio.io/rev": revision } } } },
  };
  return { at, version: at, path, fieldManager, status: 200, body };
}

export const commits: readonly AuditedCommit[] = [
  { sha: "0".repeat(40), at: 0, author: "ana", rollouts: file(0), settings: undefined },
  { sha, at: 10, author: "meshroll", rollouts: file(100), settings: undefined },
];

export function make(cluster: Partial<AuditedCluster>, extra: Partial<Evidence> = {}): Evidence {
  const one: AuditedCluster = { name: "one", before: [object(web), object(api)], writes: [], statuses: [], ...cluster };
  return { main: commits, clusters: [one], ledgerRuns: [sha.slice(0, 12)], ...extra };
}

export const settled = (path: string, at: number) => ({ at, version: at, path, settled: true });

/** Evidence and the rules that must find something in it, in order. */
export type PlantedCases = Readonly<Record<string, { readonly evidence: Evidence; readonly want: readonly string[] }>>;
