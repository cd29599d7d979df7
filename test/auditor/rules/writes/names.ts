import type { AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { isDone, isOurs } from "../../reading/writes/hands.ts";
import { ledgerOf } from "../../reading/writes/moves.ts";
import { readRunAnnotation } from "../../reading/writes/replay.ts";
import { makeRule } from "../rule.ts";

/** Why a write at that time may not name this run: the ledger must have the run before a workload is written. */
function refuseRun({ main, graceMs = 0 }: Evidence, id: string, run: AuditedRun | undefined, at: number) {
  if (run === undefined) return `run ${id} is not in the ledger`;
  if (!main.some((commit) => commit.sha.startsWith(run.convergesTo ?? id))) return `run ${id} is no commit of main`;
  return at + graceMs < (run.startedFrom ?? 0) ? `run ${id} was recorded after it` : undefined;
}

/** Every move names a run that the ledger had by then. The run is a merged commit, or was started by a verb on top of one. */
export const namedByLedger = makeRule("namedByLedger", (evidence, found) => {
  const known = new Map(ledgerOf(evidence).runs.map((run) => [run.id, run]));
  for (const { name, writes } of evidence.clusters) {
    for (const write of writes) {
      const id = readRunAnnotation(write)?.run;
      if (!isOurs(write) || !isDone(write) || id === undefined) continue;
      found.judge();
      const why = refuseRun(evidence, id, known.get(id), write.at);
      if (why !== undefined) found.refuse(name, write.path, why);
    }
  }
});
