import type { PullRequest } from "#libs/github";
import {
  type RequestedRollback,
  compileSpec,
  describeRollback,
  isWholeFile,
  proposeMoves,
  proposeRollback,
  rolloutsPath,
  settingsPath,
  waitForHand,
  type Snapshot,
} from "#libs/plan";
import type { Reason, ReasonOf } from "#libs/wording";

import { findPullsToBase } from "../stages/find-stage-pull.ts";
import type { ScmLink } from "../scm-link.ts";
import { ensureBranch, type EnsuredBranch } from "../ensure-branch.ts";
import { makeWait, type Wait } from "../../waits/waits.ts";

/** One rollback on its way to main. */
export interface RollbackStep {
  readonly asked: RequestedRollback;
  /** `rollouts.yml` at the commit to go back to. */
  readonly oldText: string;
  /** Absent: main says it already. */
  readonly wait?: Wait;
}

type Pending = ReasonOf<"RollbackPending">["waitsFor"];

/** How reasons name a rollback. */
function nameRollback({ run, stop }: RequestedRollback) {
  return { run: run.id, who: stop.who };
}

function waitFor({ run }: RequestedRollback, reason: Reason): Wait {
  return makeWait(`run/${run.id}`, reason);
}

function waitPending(asked: RequestedRollback, waitsFor: Pending): Wait {
  return waitFor(asked, { code: "RollbackPending", ...nameRollback(asked), waitsFor });
}

/** A pull request that is over: one that a person closed is not opened again, and nothing is placed for it. */
function describeEnd(asked: RequestedRollback, { state, number }: PullRequest): Wait | undefined {
  if (state === "open") return undefined;
  const code = state === "closed" ? "RollbackClosed" : "RollbackMerged";
  return waitFor(asked, { code, ...nameRollback(asked), number });
}

function describeBranch(asked: RequestedRollback, outcome: EnsuredBranch): Wait | undefined {
  switch (outcome.kind) {
    case "ready":
      return undefined;
    case "again":
      return waitPending(asked, { kind: "branch" });
    case "taken": {
      const taken = { by: outcome.by, branch: asked.branch };
      return waitFor(asked, { code: "RollbackTaken", ...nameRollback(asked), taken });
    }
  }
}

/** Title and body for people; counts are as of now. */
function describePull(
  asked: RequestedRollback,
  snapshot: Snapshot,
  texts: Readonly<Record<"now" | "wanted" | "old", string>>,
  settings: string | undefined,
) {
  const [now, wanted, old] = [texts.now, texts.wanted, texts.old].map((text) => compileSpec(asked.to, text, settings));
  if (now?.ok !== true || wanted?.ok !== true || old?.ok !== true)
    throw new Error("bug: a rollback was proposed from files that do not parse");
  return describeRollback(
    asked,
    now.spec,
    old.spec,
    proposeMoves(now.spec, wanted.spec, snapshot.clusters.values(), snapshot.now),
  );
}

/**
 * Brings one rollback as far as its pull request. Every step is found again from main, the branch and GitHub, so a process
 * that dies anywhere in it loses nothing and doubles nothing.
 */
export async function bringBack(
  link: ScmLink,
  snapshot: Snapshot,
  asked: RequestedRollback,
): Promise<RollbackStep | undefined> {
  const { repository, scm, base } = link;
  const { branch, run, to } = asked;
  const main = snapshot.main.head;
  const [headText, oldText] = [await repository.read(main, rolloutsPath), await repository.read(to, rolloutsPath)];
  const proposal = proposeRollback(run, headText, oldText);
  if (proposal.kind === "said") return undefined;
  const step = { asked, oldText: oldText ?? "" };
  const pulls = await findPullsToBase(link, branch);
  const newest = pulls.find(({ state }) => state === "open") ?? pulls[0];
  const end = newest === undefined ? undefined : describeEnd(asked, newest);
  if (end !== undefined) return { ...step, wait: end };
  if (proposal.kind === "impossible")
    return { ...step, wait: waitForHand(asked, isWholeFile(run, headText, oldText), proposal.why) };
  const message = `Roll back run ${run.id}: ${asked.stop.why}\n\nAsked by ${asked.stop.who}.`;
  const wish = { branch, main, text: proposal.text, message };
  const stuck = describeBranch(asked, await ensureBranch(repository, wish));
  if (stuck !== undefined) return { ...step, wait: stuck };
  if (newest === undefined) {
    const texts = { now: headText ?? "", wanted: proposal.text, old: step.oldText };
    const settings = await repository.read(main, settingsPath);
    await scm.openPullRequest({ branch, base, ...describePull(asked, snapshot, texts, settings) });
  }
  return { ...step, wait: waitPending(asked, { kind: "merge", branch }) };
}
