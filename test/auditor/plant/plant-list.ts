import type { AuditedCommit, AuditedRun, Evidence } from "../evidence/evidence.ts";
import { api, commits, file, make, move, settled, sha, web, type PlantedCases } from "./plant.ts";

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

const back: AuditedCommit = { sha: "2".repeat(40), at: 30, author: "ana", rollouts: file(0), settings: undefined };
const [first, second] = [id, back.sha.slice(0, 12)];

/** A stage that sets back: its run moves by taking back what the first one wrote. */
const setBack = make(
  { writes: [move(web, 20, "new"), move(web, 40, "old", second)], statuses: [settled(web, 25)] },
  {
    main: [...commits, back],
    ledgerRuns: [first, second],
    ledger: {
      stops: [{ id: "return-1", scope: "bucket/production", strength: "move", returnOf: second, at: 30 }],
      runs: [{ id: second, state: "done", aside: [], retried: {}, list: [webKey] }],
    },
  },
);

/** What a pull request listed against what was done. */
export const listCases: PlantedCases = {
  "what was listed moved": { evidence: moveWeb({}), want: [] },
  "what was listed went back": { evidence: setBack, want: [] },
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
