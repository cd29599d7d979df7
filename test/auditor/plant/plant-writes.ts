import { api, commits, file, make, move, object, settled, web, type PlantedCases } from "./plant.ts";

const thereAndBack = [
  ...commits,
  { sha: "1".repeat(40), at: 30, author: "ana", rollouts: file(0), settings: undefined },
  { sha: "2".repeat(40), at: 40, author: "ana", rollouts: file(100), settings: undefined },
];

/** The label of before, and no mark: what it was marked with goes. */
function undo(path: string, at: number) {
  const write = move(path, at, "old");
  return { ...write, body: { ...write.body, metadata: { annotations: { "meshroll.dev/run": null } } } };
}

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
  "a workload put back when main went back, and moved again when main went on": {
    evidence: make(
      { writes: [move(web, 20, "new"), undo(web, 35), move(web, 50, "new")], statuses: [settled(web, 30)] },
      { main: thereAndBack },
    ),
    want: [],
  },
  "a workload put back while main asks for where it was, and moved again": {
    evidence: make({ writes: [move(web, 20, "new"), undo(web, 35), move(web, 50, "new")] }),
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
