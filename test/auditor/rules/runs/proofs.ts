import type { AuditedCommit, AuditedRun, AuditedVerdict, Evidence } from "../../evidence/evidence.ts";
import { settingsAt } from "../../reading/main/heads.ts";
import { isOwnLogin } from "../../reading/main/own-login.ts";
import { findChange, ledgerOf } from "../../reading/writes/moves.ts";
import { listChanges } from "../../reading/main/returns.ts";
import { wasOver } from "../../reading/main/was-over.ts";
import { makeRule } from "../rule.ts";

/** A commit of main that began a campaign's run and that meshroll merged by itself. */
interface OwnMerge {
  readonly commit: AuditedCommit;
  readonly run: AuditedRun;
  readonly earlier: readonly AuditedRun[];
}

/** Stages that meshroll merged by itself. Rollbacks are left out: they need no approval and wait for nothing. */
function listOwnMerges(evidence: Evidence): readonly OwnMerge[] {
  const { runs } = ledgerOf(evidence);
  const order = (run: AuditedRun) => evidence.main.findIndex(({ sha }) => sha.startsWith(run.id));
  return runs.flatMap((run) => {
    const index = order(run);
    const commit = evidence.main[index];
    if (commit === undefined || !isOwnLogin(commit.by) || run.campaign === undefined) return [];
    if (findChange(listChanges(evidence.main), run.id)?.forward.size === 0) return [];
    const earlier = runs.filter(
      (each) => each.campaign === run.campaign && each.state !== "gone" && order(each) < index,
    );
    return [{ commit, run, earlier: earlier.filter((each) => order(each) !== -1) }];
  });
}

/** Meshroll merges a campaign's next stage only when every earlier run has ended, with its bake. */
export const stagesInOrder = makeRule("stagesInOrder", (evidence, found) => {
  for (const { commit, earlier } of listOwnMerges(evidence)) {
    for (const run of earlier) {
      found.judge();
      if (wasOver(run, commit.at, commit.atLatest)) continue;
      found.refuse(
        "",
        `commit ${commit.sha.slice(0, 12)}`,
        `meshroll merged the next stage before run ${run.id} had ended`,
      );
    }
  }
});

/** Meshroll merges only stages that merge themselves, and only when the head has been unchanged for the notice. */
export const noticeIsKept = makeRule("noticeIsKept", (evidence, found) => {
  for (const { commit, run } of listOwnMerges(evidence)) {
    found.judge();
    const notices = settingsAt(evidence, commit.at, run).map(({ noticeMs }) => noticeMs);
    const asked = notices.filter((each) => each !== undefined);
    const what = `commit ${commit.sha.slice(0, 12)}`;
    if (asked.length === 0) {
      found.refuse("", what, `meshroll merged stage ${run.stage ?? ""}, which does not merge itself`);
      continue;
    }
    const push = evidence.pushes.find(({ after }) => after !== undefined && after === commit.merged);
    const stood = push === undefined ? undefined : (commit.atLatest ?? commit.at) - push.at;
    if (stood === undefined)
      found.cannotJudge("a stage was merged, and the evidence does not say when its head was pushed");
    else if (stood + (evidence.graceMs ?? 0) < Math.min(...asked))
      found.refuse("", what, `merged itself after ${stood} ms, its notice is ${Math.min(...asked)} ms`);
  }
});

/** The last verdict of a gate by then, without those that the server may not have had yet. */
function findVerdict({ verdicts = [] }: AuditedRun, gate: string, at: number): AuditedVerdict | undefined {
  return verdicts.findLast((each) => each.gate === gate && each.atLatest <= at);
}

/** True when a person ended the stop that the gate's failure had made. */
function isResumed(evidence: Evidence, run: AuditedRun, at: number): boolean {
  const stops = ledgerOf(evidence).stops.filter(({ scope, cause }) => scope === `run/${run.id}` && cause === "gate");
  return stops.length > 0 && stops.every(({ resumedAt }) => resumedAt !== undefined && resumedAt <= at);
}

/** True for gates whose failure holds a run; those that are built in are such gates. */
function isHolding(evidence: Evidence, run: AuditedRun, gate: string, at: number): boolean {
  const heads = settingsAt(evidence, at, run);
  return heads.every(({ gates }) => gates.get(gate) !== "notify");
}

function listFailed(evidence: Evidence, run: AuditedRun, at: number): readonly string[] {
  const names = new Set((run.verdicts ?? []).map(({ gate }) => gate));
  const failed = [...names].filter((gate) => findVerdict(run, gate, at)?.verdict === "fail");
  return isResumed(evidence, run, at) ? [] : failed.filter((gate) => isHolding(evidence, run, gate, at));
}

/** After a gate failed, no run is done and meshroll merges no stage until a person ended that stop. */
export const gatesAreKept = makeRule("gatesAreKept", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) {
    const { state, endedAt, takenOverBy } = run;
    if (state !== "done" || endedAt === undefined || takenOverBy !== undefined) continue;
    found.judge();
    for (const gate of listFailed(evidence, run, endedAt))
      found.refuse("", `run ${run.id}`, `done, though its gate ${gate} had failed and was not resumed`);
  }
  for (const { commit, earlier } of listOwnMerges(evidence)) {
    for (const run of earlier) {
      found.judge();
      for (const gate of listFailed(evidence, run, commit.at))
        found.refuse("", `commit ${commit.sha.slice(0, 12)}`, `merged though gate ${gate} of run ${run.id} had failed`);
    }
  }
});
