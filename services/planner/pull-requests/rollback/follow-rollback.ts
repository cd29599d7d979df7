import type { PullRequest } from "#libs/scm";
import {
  type RequestedRollback,
  compileSpec,
  describeRollback,
  isWholeFile,
  setsAllBack,
  listWantedBuckets,
  proposeMoves,
  proposeRollback,
  rolloutsPath,
  settingsPath,
  waitForHand,
  type LedgerState,
  type Snapshot,
} from "#libs/plan";
import type { Logger } from "#libs/runtime";
import { printPull, type Reason, type ReasonOf, renderRollbackPull } from "#libs/wording";

import { findPullsToBase } from "../stages/find-stage-pull.ts";
import type { ScmLink } from "../scm-link.ts";
import { isRefusedAsBehind, isRefusedAsUnsigned, type Refusals } from "../try-merge.ts";
import { type BranchWish, ensureBranch, type EnsuredBranch } from "../ensure-branch.ts";
import { describeFault, makeWait, type Wait } from "../../loop/make-wait.ts";

/** How far one rollback's pull request is. */
export interface RollbackStep {
  readonly asked: RequestedRollback;
  /** The buckets that it sets back. */
  readonly buckets: readonly string[];
  /** `rollouts.yml` at the commit to roll back to. */
  readonly oldText: string;
  /** Absent = no branch is pushed for it. */
  readonly wish?: RollbackWish;
  /** Absent = main already says what the rollback wants. */
  readonly wait?: Wait;
}

/** A rollback is always recorded in a ledger. */
type SnapshotWithLedger = Snapshot & { readonly ledger: LedgerState };

type Pending = ReasonOf<"RollbackPending">["waitsFor"];

/** The fields by which reasons name a rollback. */
export function nameRollback({ run, stop }: RequestedRollback) {
  return { run: run.id, who: stop.who };
}

/** A wait with the scope of the rolled back run. */
export function waitForRollback({ run }: RequestedRollback, reason: Reason): Wait {
  return makeWait(`run/${run.id}`, reason);
}

/** An error that concerns one rollback: logged, and reported as a wait; the others go on. */
export function reportFailed(log: Pick<Logger, "warn">, asked: RequestedRollback, error: unknown): Wait {
  log.warn({ error, run: asked.run.id }, "a rollback's pull request could not be brought up to date");
  return waitForRollback(asked, { code: "RollbackFailed", ...nameRollback(asked), why: describeFault(error) });
}

function waitPending(asked: RequestedRollback, waitsFor: Pending): Wait {
  return waitForRollback(asked, { code: "RollbackPending", ...nameRollback(asked), waitsFor });
}

/** The wait for a pull request that is not open: one that a person closed is not opened again. */
function describeEnd(asked: RequestedRollback, { state, number }: PullRequest): Wait | undefined {
  if (state === "open") return undefined;
  const code = state === "closed" ? "RollbackClosed" : "RollbackMerged";
  return waitForRollback(asked, { code, ...nameRollback(asked), number });
}

function describeBranch(asked: RequestedRollback, outcome: EnsuredBranch): Wait | undefined {
  switch (outcome.kind) {
    case "ready":
      return undefined;
    case "again":
      return waitPending(asked, { kind: "branch" });
    case "taken": {
      const taken = { by: outcome.by, branch: asked.branch };
      return waitForRollback(asked, { code: "RollbackTaken", ...nameRollback(asked), taken });
    }
  }
}

/** The words of its pull request, with the counts of now. */
function describePull(
  { asked, buckets }: RollbackStep,
  snapshot: Snapshot,
  texts: Readonly<Record<"now" | "wanted" | "old", string>>,
  settings: string | undefined,
) {
  const [now, wanted, old] = [texts.now, texts.wanted, texts.old].map((text) => compileSpec(asked.to, text, settings));
  if (now?.ok !== true || wanted?.ok !== true || old?.ok !== true)
    throw new Error("bug: a rollback was proposed from files that do not parse");
  return describeRollback(
    asked,
    buckets,
    now.spec,
    old.spec,
    proposeMoves(now.spec, wanted.spec, snapshot.clusters.values(), snapshot.now),
  );
}

/** What its branch must contain. */
export interface RollbackWish extends BranchWish {
  /** `rollouts.yml` as main has it. */
  readonly now: string;
  /** The SCM refused its commit because it is not signed, and could sign one. */
  readonly isUnsigned: boolean;
}

/** True unless main's files alone show that every namespace of the buckets goes back. */
async function needsApproval(
  { repository }: ScmLink,
  { main, to, buckets }: { readonly main: string; readonly to: string; readonly buckets: readonly string[] },
  texts: readonly (string | undefined)[],
): Promise<boolean> {
  const settings = [await repository.read(main, settingsPath), await repository.read(to, settingsPath)];
  const [head, old] = [main, to].map((commit, index) => compileSpec(commit, texts[index], settings[index]));
  return head?.ok !== true || old?.ok !== true || !setsAllBack(buckets, head.spec, old.spec);
}

/** Pushes its branch, and opens its pull request if none is open; returns what the rollback waits for. */
async function openPull(
  link: ScmLink,
  snapshot: SnapshotWithLedger,
  step: RollbackStep,
  wish: RollbackWish,
  isOpen: boolean,
): Promise<Wait> {
  const { repository, scm, base } = link;
  const { asked, oldText } = step;
  const { branch, now, text } = wish;
  const stuck = describeBranch(asked, await ensureBranch(link, wish, wish.isUnsigned));
  if (stuck !== undefined) return stuck;
  if (!isOpen) {
    const settings = await repository.read(wish.main, settingsPath);
    const words = describePull(step, snapshot, { now, wanted: text, old: oldText }, settings);
    await scm.openPullRequest({ branch, base, ...printPull(renderRollbackPull(words)) });
  }
  return waitPending(asked, { kind: "merge", branch });
}

/**
 * Takes one rollback as far as an open pull request. Each step is found again from main, the branch and the SCM, so after a
 * kill nothing is lost or done twice. Undefined once main says what the rollback wants.
 */
export async function followRollback(
  link: ScmLink,
  snapshot: SnapshotWithLedger,
  asked: RequestedRollback,
  refusals: Refusals,
): Promise<RollbackStep | undefined> {
  const { repository } = link;
  const { branch, to } = asked;
  const main = snapshot.main.head;
  const [headText, oldText] = [await repository.read(main, rolloutsPath), await repository.read(to, rolloutsPath)];
  const buckets = listWantedBuckets(snapshot.ledger, asked.run, oldText);
  const proposal = proposeRollback(buckets, headText, oldText);
  if (proposal.kind === "said") return undefined;
  const step = { asked, buckets, oldText: oldText ?? "" };
  const pulls = await findPullsToBase(link, branch);
  const newest = pulls.find(({ state }) => state === "open") ?? pulls[0];
  const end = newest === undefined ? undefined : describeEnd(asked, newest);
  if (end !== undefined) return { ...step, wait: end };
  if (proposal.kind === "impossible")
    return { ...step, wait: waitForHand(asked, buckets, isWholeFile(buckets, headText, oldText), proposal.why) };
  const textAt = async (commit: string): Promise<string | undefined> => {
    const edited = proposeRollback(buckets, await repository.read(commit, rolloutsPath), oldText);
    return edited.kind === "edit" ? edited.text : undefined;
  };
  const { run, stop } = asked;
  const wish = {
    origin: "rollback" as const,
    branch,
    main,
    text: proposal.text,
    message: `Roll back run ${run.id}: ${stop.why}\n\nAsked by ${stop.who}.`,
    upToDate: isRefusedAsBehind(refusals, newest?.headSha),
    textAt,
    isUnsigned: await isRefusedAsUnsigned(link, refusals, newest?.headSha),
    now: headText ?? "",
    needsApproval: await needsApproval(link, { main, to, buckets }, [headText, oldText]),
  };
  return { ...step, wish, wait: await openPull(link, snapshot, step, wish, newest !== undefined) };
}
