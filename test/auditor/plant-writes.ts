import { api, commits, make, move, object, settled, web, type PlantedCases } from "./plant.ts";

/** What the write log and main alone tell. */
export const writeCases: PlantedCases = {
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
