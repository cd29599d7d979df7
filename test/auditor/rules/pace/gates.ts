import type { AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { settingsAt } from "../../reading/main/heads.ts";
import { ledgerOf, listMoves, type Move } from "../../reading/writes/moves.ts";
import { makeRule } from "../rule.ts";

/** First moves forward of a campaign's run, oldest first. */
function listForward(evidence: Evidence, { id }: AuditedRun): readonly Move[] {
  const own = listMoves(evidence).filter(
    ({ runId, way, isWorkload }) => isWorkload && way === "forward" && runId === id,
  );
  return own.toSorted((a, b) => a.at - b.at);
}

/** Gates that main wanted for the run at all of these moments, whichever of its heads a planner had. */
function listGates(evidence: Evidence, run: AuditedRun, times: readonly number[], when?: string): readonly string[] {
  const said = times.flatMap((at) => settingsAt(evidence, at, run));
  const [first = [], ...others] = said.map(({ gates }) => [...gates]);
  const asked = first.filter(([, gate]) => when === undefined || gate.when === when).map(([name]) => name);
  const stays = (name: string): boolean =>
    others.every((each) => each.some(([other, gate]) => other === name && (when === undefined || gate.when === when)));
  return [...new Set(asked)].filter(stays);
}

/** It came when the wave was open already: no wave waited for it. */
function isLate({ cluster, path }: Move, opened: number): boolean {
  return cluster.created.some((each) => each.path === path && each.at >= opened);
}

/** A gate `before` passed, or only notifies, before the first workload of its run moves. */
export const gatesComeFirst = makeRule("gatesComeFirst", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) {
    const [first] = run.campaign === undefined ? [] : listForward(evidence, run);
    if (first === undefined) continue;
    const opened = Math.min(first.at, ...Object.values(run.clusters ?? {}));
    if (isLate(first, opened)) continue;
    for (const gate of listGates(evidence, run, [opened, first.at], "before")) {
      found.judge();
      const words = (run.verdicts ?? []).filter((each) => each.gate === gate && each.at <= first.at);
      const isTold = settingsAt(evidence, first.at, run).some(({ gates }) => gates.get(gate)?.onFail === "notify");
      if (words.some(({ verdict }) => verdict === "pass" || (verdict === "fail" && isTold))) continue;
      found.refuse(first.cluster.name, first.path, `moved before gate ${gate} of run ${run.id} had passed`);
    }
  }
});

/** A campaign's run that is done for itself, and moved a workload that it does not name as skipped. */
function isProven(evidence: Evidence, run: AuditedRun, endedAt: number): boolean {
  if (run.state !== "done" || run.takenOverBy !== undefined || run.campaign === undefined) return false;
  return listForward(evidence, run).some(({ key, at }) => !run.skipped.includes(key) && at <= endedAt);
}

/** A run that moved a workload forward is done with a word of each of its gates on record. */
export const gatesHaveSpoken = makeRule("gatesHaveSpoken", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) {
    const { endedAt, endedAtLatest } = run;
    if (endedAt === undefined || !isProven(evidence, run, endedAt)) continue;
    for (const gate of listGates(evidence, run, [endedAt, endedAtLatest ?? endedAt])) {
      found.judge();
      if ((run.verdicts ?? []).some((each) => each.gate === gate)) continue;
      found.refuse("", `run ${run.id}`, `done, and its gate ${gate} said nothing`);
    }
  }
});
