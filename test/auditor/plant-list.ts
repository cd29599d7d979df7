import type { AuditedRun, Evidence } from "./evidence.ts";
import { api, make, move, sha, web, type PlantedCases } from "./plant.ts";

const id = sha.slice(0, 12);
const [webKey, apiKey] = ["one:shop/Deployment/web", "one:shop/Deployment/api"];

/** `web` alone moved, by a run with this list. */
function moveWeb(change: Partial<AuditedRun>): Evidence {
  const run: AuditedRun = { id, state: "done", aside: [], retried: {}, list: [webKey], ...change };
  return make({ writes: [move(web, 20, "new")] }, { ledger: { stops: [], runs: [run] } });
}

const both = make(
  {
    writes: [move(web, 20, "new"), move(api, 30, "new")],
    statuses: [{ at: 25, version: 25, path: web, settled: true }],
  },
  { ledger: { stops: [], runs: [{ id, state: "done", aside: [], retried: {}, list: [webKey] }] } },
);

/** What a pull request listed against what was done. */
export const listCases: PlantedCases = {
  "what was listed moved": { evidence: moveWeb({}), want: [] },
  "a workload moved that nobody listed": { evidence: both, want: ["listKept"] },
  "a listed workload did not move": { evidence: moveWeb({ list: [webKey, apiKey] }), want: ["listKept"] },
  "a listed workload did not move, and the end says why": {
    evidence: moveWeb({ list: [webKey, apiKey], differences: [apiKey] }),
    want: [],
  },
  "a run that is not over has not broken its list": {
    evidence: moveWeb({ list: [webKey, apiKey], state: "open" }),
    want: [],
  },
};
