import { isDone, isOurs } from "../../reading/writes/hands.ts";
import { ledgerOf } from "../../reading/writes/moves.ts";
import { readRunAnnotation } from "../../reading/writes/replay.ts";
import { makeRule } from "../rule.ts";

/** Every move names a run, and the run is a merged commit that the ledger knows. */
export const namedByLedger = makeRule("namedByLedger", (evidence, found) => {
  const known = new Set(ledgerOf(evidence).runs.map(({ id }) => id));
  for (const { name, writes } of evidence.clusters) {
    for (const write of writes) {
      const id = readRunAnnotation(write)?.run;
      if (!isOurs(write) || !isDone(write) || id === undefined) continue;
      found.judge();
      if (!known.has(id)) found.refuse(name, write.path, `run ${id} is not in the ledger`);
      else if (!evidence.main.some((commit) => commit.sha.startsWith(id)))
        found.refuse(name, write.path, `run ${id} is no commit of main`);
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
