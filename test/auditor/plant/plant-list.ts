import type { AuditedRun, Evidence } from "../evidence/evidence.ts";
import {
  api,
  apiKey,
  commit,
  commits,
  make,
  move,
  type PlantedCases,
  run,
  runId,
  settled,
  stop,
  web,
  webKey,
} from "./plant.ts";

/** `web` alone moved, by a run with this list. */
function moveWeb(change: Partial<AuditedRun>): Evidence {
  const done = run(runId, { state: "done", endedAt: 60, endedAtLatest: 60, list: [webKey], ...change });
  return make(
    {
      writes: [move(web, 20, "new")],
      statuses: [settled(web, 25)],
      pods: [{ at: 24, path: web, revisions: ["new"] }],
    },
    { ledger: { stops: [], runs: [{ ...done, aside: [...done.aside, apiKey] }] } },
  );
}

const both = make(
  {
    writes: [move(web, 20, "new"), move(api, 30, "new")],
    statuses: [settled(web, 25), settled(api, 35)],
    pods: [
      { at: 24, path: web, revisions: ["new"] },
      { at: 34, path: api, revisions: ["new"] },
    ],
  },
  { ledger: { stops: [], runs: [run(runId, { state: "done", endedAt: 60, endedAtLatest: 60, list: [webKey] })] } },
);

const back = commit({ sha: "2".repeat(40), at: 30 });
const backId = back.sha.slice(0, 12);

/** A stage that sets back: its run moves by taking back what the first one wrote. */
const setBack = make(
  {
    writes: [move(web, 20, "new"), move(web, 40, "old", backId)],
    statuses: [settled(web, 25), settled(web, 45)],
    pods: [
      { at: 5, path: api, revisions: ["old"] },
      { at: 44, path: web, revisions: ["old"] },
    ],
  },
  {
    main: [...commits, back],
    ledger: {
      stops: [stop({ id: "return-1", scope: "bucket/production", returnOf: backId, at: 30 })],
      runs: [run(runId), run(backId, { state: "done", endedAt: 60, endedAtLatest: 60, list: [webKey] })],
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
