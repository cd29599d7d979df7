import type { AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { isDone, isOurs } from "../../reading/writes/hands.ts";
import { ledgerOf } from "../../reading/writes/moves.ts";
import { readRunAnnotation } from "../../reading/writes/replay.ts";
import { makeRule } from "../rule.ts";

/** Why this is no run that the ledger knows by a commit of main. */
function refuseRun(evidence: Evidence, known: ReadonlyMap<string, AuditedRun>, id: string): string | undefined {
  const run = known.get(id);
  if (run === undefined) return `run ${id} is not in the ledger`;
  const isOnMain = evidence.main.some((commit) => commit.sha.startsWith(run.convergesTo ?? id));
  return isOnMain ? undefined : `run ${id} is no commit of main`;
}

/** Every move names a run, and the run is a merged commit that the ledger knows, or was asked for on top of one. */
export const namedByLedger = makeRule("namedByLedger", (evidence, found) => {
  const known = new Map(ledgerOf(evidence).runs.map((run) => [run.id, run]));
  for (const { name, writes } of evidence.clusters) {
    for (const write of writes) {
      const id = readRunAnnotation(write)?.run;
      if (!isOurs(write) || !isDone(write) || id === undefined) continue;
      found.judge();
      const why = refuseRun(evidence, known, id);
      if (why !== undefined) found.refuse(name, write.path, why);
    }
  }
});

/** Edits of `rollouts.yml` by meshroll change digits only. */
export const digitsOnly = makeRule("digitsOnly", (evidence, found) => {
  const strip = (text: string) => text.replaceAll(/\d+(?=\s*(?:#.*)?$)/gmu, "0");
  evidence.main.forEach((commit, index) => {
    const before = evidence.main[index - 1];
    if (before === undefined || (!commit.author.startsWith("meshroll") && commit.by !== "meshroll")) return;
    found.judge();
    if (strip(before.rollouts) !== strip(commit.rollouts))
      found.refuse("", "rollouts.yml", `commit ${commit.sha.slice(0, 12)} changes more than percentages`);
  });
});
