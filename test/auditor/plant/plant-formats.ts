import type { AuditedFormats, AuditedProcess, Evidence } from "../evidence/evidence.ts";
import { make, type PlantedCases, run, runId } from "./plant.ts";

const raised: AuditedFormats = { raises: [{ version: 2, from: 50, until: 55 }], ahead: [] };
const planner: AuditedProcess = { name: "planner", reads: 2, from: 30 };
const broken = ["raisedWhenRead"];

function makeRaised(processes: readonly AuditedProcess[] | undefined, formats = raised): Evidence {
  const extra = processes === undefined ? {} : { processes };
  return make({}, { ledger: { stops: [], runs: [run(runId)], formats }, ...extra });
}

const older = (change: Partial<AuditedProcess>): AuditedProcess => ({ name: "executor", reads: 1, from: 0, ...change });

/** A ledger that is raised from version 1 to 2. */
export const formatCases: PlantedCases = {
  "a ledger raised when all that are alive read it": {
    evidence: makeRaised([planner, older({ until: 40 })]),
    want: [],
  },
  "a ledger raised while an older executor is alive": { evidence: makeRaised([planner, older({})]), want: broken },
  "a ledger raised while an older executor is alive that ends later": {
    evidence: makeRaised([planner, older({ until: 60 })]),
    want: broken,
  },
  "an older executor that returns after the ledger was raised": {
    evidence: makeRaised([planner, older({ from: 58 })]),
    want: [],
  },
  "a raised ledger, and no record of who was alive": { evidence: makeRaised(undefined), want: [] },
  "a record of a newer version in a ledger that was not raised": {
    evidence: makeRaised([planner], { raises: [], ahead: [{ path: "runs/a.json", version: 2, of: 1 }] }),
    want: broken,
  },
};
