import type { AuditedApproval, AuditedCommit, Evidence } from "../../evidence/evidence.ts";
import { commits, make, move, type PlantedCases, run, runId, web } from "../plant.ts";

const head = "e".repeat(40);
const agreed = (by: string, at = 8): AuditedApproval => ({ head, by, at });

/** `web` moves forward by a merge that ana made at 10, of a head that bob had pushed. */
function merged(approvals: readonly AuditedApproval[], change: Partial<AuditedCommit> = {}): Evidence {
  const writes = [move(web, 20, "new")];
  const pushes = [{ branch: "bob/more", after: head, at: 5, atLatest: 5, by: "bob" }];
  const main = commits.map((each) => (each.at === 0 ? each : { ...each, merged: head, ...change }));
  return { ...make({ writes }, { ledger: { stops: [], runs: [run(runId)] } }), main, pushes, approvals };
}

/** Who must have approved a move forward. */
export const approvalCases: PlantedCases = {
  "a merge that another person approved": { evidence: merged([agreed("cleo")]), want: [] },
  "a merge that no person approved": { evidence: merged([]), want: ["approved"] },
  "a merge that only the person who pushed its head approved": {
    evidence: merged([agreed("bob")]),
    want: ["approved"],
  },
  "a merge of another head than the one that was approved": {
    evidence: merged([{ ...agreed("cleo"), head: "f".repeat(40) }]),
    want: ["approved"],
  },
  "a merge that was approved afterwards": { evidence: merged([agreed("cleo", 15)]), want: ["approved"] },
  "a merge that meshroll made by itself, though no stage merges itself": {
    evidence: merged([], { by: "meshroll" }),
    want: ["approved"],
  },
};
