import { expect, test } from "vitest";

import { audit } from "./audit.ts";
import type { AuditedCluster, AuditedCommit, AuditedObject, Evidence } from "./evidence.ts";

const sha = "abcdef0123456789abcdef0123456789abcdef01";
const file = (weight: number) => `production:\n  old: ${100 - weight}\n  new: ${weight}\n`;
const web = "/apis/apps/v1/namespaces/shop/deployments/web";
const api = "/apis/apps/v1/namespaces/shop/deployments/api";

function object(
  path: string,
  labels: Record<string, string> = { "istio.io/rev": "old" },
  extra: Partial<AuditedObject> = {},
): AuditedObject {
  return { path, labels: {}, injectedPods: 1, template: { labels, annotations: {}, hostNetwork: false }, ...extra };
}

function move(path: string, at: number, revision: string, run = sha.slice(0, 12), fieldManager = "meshroll") {
  const body = {
    metadata: { annotations: { "meshroll.dev/run": `${run} ${revision}` } },
    spec: { template: { metadata: { labels: { "istio.io/rev": revision } } } },
  };
  return { at, version: at, path, fieldManager, status: 200, body };
}

const commits: readonly AuditedCommit[] = [
  { sha: "0".repeat(40), at: 0, author: "ana", rollouts: file(0), settings: undefined },
  { sha, at: 10, author: "meshroll", rollouts: file(100), settings: undefined },
];

function make(cluster: Partial<AuditedCluster>, extra: Partial<Evidence> = {}): Evidence {
  const one: AuditedCluster = { name: "one", before: [object(web), object(api)], writes: [], statuses: [], ...cluster };
  return { main: commits, clusters: [one], ledgerRuns: [sha.slice(0, 12)], ...extra };
}

const settled = (path: string, at: number) => ({ at, version: at, path, settled: true });

const cases: Record<string, { evidence: Evidence; want: readonly string[] }> = {
  "a move that main asks for, and the next one after it settled": {
    evidence: make({ writes: [move(web, 20, "new"), move(api, 40, "new")], statuses: [settled(web, 30)] }),
    want: [],
  },
  "a failed move that is put back": {
    evidence: make({ writes: [move(web, 20, "new"), move(web, 25, "old")] }),
    want: [],
  },
  "a write before the commit that demands it was merged": {
    evidence: make({ writes: [move(web, 5, "new")] }),
    want: ["demanded"],
  },
  "a write towards a revision that nobody merged": {
    evidence: make({ writes: [move(web, 20, "other")] }),
    want: ["demanded"],
  },
  "a workload moved, taken back by its owner and moved again": {
    evidence: make({
      writes: [move(web, 20, "new"), move(web, 25, "old", "", "helm"), move(web, 40, "new")],
      statuses: [settled(web, 30)],
    }),
    want: ["restartedOnce"],
  },
  "a write in kube-system": {
    evidence: make({ writes: [move("/apis/apps/v1/namespaces/kube-system/deployments/dns", 20, "new")] }),
    want: ["unmanagedUntouched"],
  },
  "a write to a workload that opted out": {
    evidence: make({ before: [object(web, { "sidecar.istio.io/inject": "false" })], writes: [move(web, 20, "new")] }),
    want: ["unmanagedUntouched"],
  },
  "a write to a workload outside the mesh": {
    evidence: make({ before: [object(web, {}, { injectedPods: 0 })], writes: [move(web, 20, "new")] }),
    want: ["unmanagedUntouched"],
  },
  "two workloads at once with batchSize 1": {
    evidence: make({ writes: [move(web, 20, "new"), move(api, 21, "new")] }),
    want: ["withinBatchSize"],
  },
  "two workloads at once where main allows two": {
    evidence: make(
      { writes: [move(web, 20, "new"), move(api, 21, "new")] },
      { main: commits.map((each) => ({ ...each, settings: "defaults: {batch: {batchSize: 2}}" })) },
    ),
    want: [],
  },
  "a move for a run that the ledger does not know": {
    evidence: make({ writes: [move(web, 20, "new")] }, { ledgerRuns: [] }),
    want: ["namedByLedger"],
  },
  "a refused write does not count": {
    evidence: make({ writes: [{ ...move(web, 5, "new"), status: 409 }] }),
    want: [],
  },
  "an edit of ours that adds a comment": {
    evidence: make(
      {},
      { main: commits.map((each, i) => (i === 1 ? { ...each, rollouts: `# hello\n${each.rollouts}` } : each)) },
    ),
    want: ["digitsOnly"],
  },
};

for (const [name, { evidence, want }] of Object.entries(cases)) {
  test(`auditor: ${name}`, () => {
    expect(audit(evidence).map((violation) => violation.rule)).toEqual(want);
  });
}
