import type { AuditedCommit, Evidence } from "../evidence/evidence.ts";
import { commit, file, make, move, type PlantedCases, run, runId, web } from "./plant.ts";

const [fileX, fileY] = ["campaigns/X.yml", "campaigns/Y.yml"];
const setting = (name: string, bucket: string) =>
  `metadata: { name: ${name} }\nspec: { stages: [{ name: all, set: { ${bucket}: 100 } }] }`;

/** One move forward at 20, by a run of campaign X: its commit has these campaigns, and main the others since. */
function shared(merged: AuditedCommit["campaigns"], since?: AuditedCommit["campaigns"]): Evidence {
  const own = run(runId, { campaign: "X", stage: "all" });
  const evidence = make({ writes: [move(web, 20, "new")] }, { ledger: { stops: [], runs: [own] } });
  const main = evidence.main.map((each) => (each.at < 10 ? each : { ...each, campaigns: merged }));
  const newest = { sha: "f".repeat(40), at: 12, rollouts: file(100) };
  return { ...evidence, main: [...main, ...(since === undefined ? [] : [commit({ ...newest, campaigns: since })])] };
}

/** Runs that move buckets of more than one campaign. */
export const campaignCases: PlantedCases = {
  "a forward write of a run that moves a bucket of another campaign too": {
    evidence: shared({ [fileX]: setting("X", "shop"), [fileY]: setting("Y", "production") }),
    want: ["stoppedStands"],
  },
  "the same when the other campaign was finished": {
    evidence: shared(
      { [fileX]: setting("X", "shop"), [fileY]: setting("Y", "production") },
      { [fileX]: setting("X", "shop") },
    ),
    want: [],
  },
  "a forward write of a run whose bucket another campaign set only later": {
    evidence: shared({ [fileX]: setting("X", "shop") }, { [fileY]: setting("Y", "production") }),
    want: [],
  },
};
