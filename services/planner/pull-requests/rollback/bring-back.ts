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

type Named = (code: string, message: string, command?: string) => Wait;

function nameWaits({ run, stop }: RequestedRollback): Named {
  return (code, message, command) =>
    makeWait(`run/${run.id}`, {
      code,
      message: `the rollback of run ${run.id} ${message}`,
      owner: stop.who,
      ...(command === undefined ? {} : { command }),
    });
}

/** A pull request that is over: one that a person closed is not opened again, and nothing is placed for it. */
function describeEnd({ run }: RequestedRollback, { state, number }: PullRequest, name: Named): Wait | undefined {
  const again = `meshroll rollback run/${run.id} --reason "…"`;
  if (state === "closed")
    return name(
      "RollbackClosed",
      `stands still: its pull request ${number} was closed unmerged; to have another`,
      again,
    );
  if (state === "merged")
    return name("RollbackMerged", `is merged by pull request ${number}; if main was changed again since`, again);
  return undefined;
}

function describeBranch({ branch }: RequestedRollback, outcome: EnsuredBranch, name: Named): Wait | undefined {
  switch (outcome.kind) {
    case "ready":
      return undefined;
    case "again":
      return name("RollbackPending", "looks at its branch again: somebody pushed at the same time");
    case "taken":
      return name(
        "RollbackTaken",
        `waits for ${outcome.by}, who committed to ${branch}: as it is, it does not lead back; merge it, or take it away`,
        `git push origin --delete ${branch}`,
      );
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
  const name = nameWaits(asked);
  const pulls = await findPullsToBase(link, branch);
  const newest = pulls.find(({ state }) => state === "open") ?? pulls[0];
  const end = newest === undefined ? undefined : describeEnd(asked, newest, name);
  if (end !== undefined) return { ...step, wait: end };
  if (proposal.kind === "impossible")
    return { ...step, wait: waitForHand(asked, proposal.why, isWholeFile(run, headText, oldText)) };
  const message = `Roll back run ${run.id}: ${asked.stop.why}\n\nAsked by ${asked.stop.who}.`;
  const wish = { branch, main, text: proposal.text, message };
  const stuck = describeBranch(asked, await ensureBranch(repository, wish), name);
  if (stuck !== undefined) return { ...step, wait: stuck };
  if (newest === undefined) {
    const texts = { now: headText ?? "", wanted: proposal.text, old: step.oldText };
    const settings = await repository.read(main, settingsPath);
    await scm.openPullRequest({ branch, base, ...describePull(asked, snapshot, texts, settings) });
  }
  return { ...step, wait: name("RollbackPending", `waits for its pull request on ${branch} to be merged`) };
}
