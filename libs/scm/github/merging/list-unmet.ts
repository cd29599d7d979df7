import type { MergeDemand } from "#libs/wording";

import type { RequiredCheck } from "../../port/probe.ts";
import type { BranchDemands } from "./branch-rules.ts";
import type { PostedFact, PullFacts } from "./pull-facts.ts";

/** Whether a demand is unmet, and the demand. */
type Judged = readonly [isUnmet: boolean, demand: MergeDemand];

function pick(judged: readonly Judged[]): readonly MergeDemand[] {
  return judged.flatMap(([isUnmet, demand]) => (isUnmet ? [demand] : []));
}

/** All checks posted under the name, by the app that counts, have to be green. */
function judgeCheck({ name, source }: RequiredCheck, posted: readonly PostedFact[]): readonly MergeDemand[] {
  const own = posted.filter((each) => each.name === name);
  const counting = source === undefined ? own : own.filter((each) => each.source === source);
  const missing = own.length === 0 ? "missing" : "otherSource";
  const worst = (["failed", "pending"] as const).find((state) => counting.some((each) => each.state === state));
  const state = counting.length === 0 ? missing : worst;
  if (state === undefined) return [];
  return [{ code: "CheckNotGreen", name, state, ...(source === undefined ? {} : { source }) }];
}

function judgeReviews(rules: BranchDemands, pull: PullFacts): readonly MergeDemand[] {
  const isShort = pull.approvals < rules.reviews;
  const wantsReview = rules.reviews > 0 || rules.codeOwners;
  // There are enough approvals, and GitHub still wants a review: a code owner's, or one after the last push.
  const isSpecial = pull.reviewRequired && !isShort;
  return pick([
    [isShort, { code: "ReviewsMissing", required: rules.reviews, given: pull.approvals }],
    [pull.changesRequested && wantsReview, { code: "ChangesRequested" }],
    [isSpecial && rules.codeOwners, { code: "CodeOwnersMissing" }],
    [isSpecial && rules.lastPush, { code: "LastPushUnapproved" }],
  ]);
}

/** Demands that a token which may not read the settings finds only in the text of GitHub's refusal. */
const messagePatterns: readonly (readonly [RegExp, MergeDemand])[] = [
  [/merge queue|not accessible by integration|authorized to merge/iu, { code: "QueueDemanded" }],
  [/\blocked\b/iu, { code: "BranchLocked" }],
  [/code owner/iu, { code: "CodeOwnersMissing" }],
  [/last pusher|most recent (?:reviewable )?push/iu, { code: "LastPushUnapproved" }],
  [/must not contain merge commits|linear history/iu, { code: "HistoryNotLinear" }],
];

/** Demands that GitHub's refusal names in its text, without the known ones. */
export function readDemandsIn(why: string, known: readonly MergeDemand[]): readonly MergeDemand[] {
  return messagePatterns.flatMap(([pattern, demand]) =>
    pattern.test(why) && !known.some(({ code }) => code === demand.code) ? [demand] : [],
  );
}

/** A pull request, and the branch that it is to be merged into. */
interface MergeFacts {
  readonly rules: BranchDemands;
  readonly pull: PullFacts;
  readonly base: string;
  /** Commits of the base that the head lacks; 0 where the rules do not demand an up-to-date head. */
  readonly behindBy: number;
}

/** Which demands of the branch a pull request does not meet; `why`: the text of GitHub's refusal. */
export function listUnmet({ rules, pull, base, behindBy }: MergeFacts, why: string): readonly MergeDemand[] {
  const { openThreads: open, unsigned } = pull;
  const isOutOfDate = rules.strict && behindBy > 0;
  const known = [
    ...pick([
      [pull.isDraft, { code: "Draft" }],
      [pull.conflicts, { code: "Conflict" }],
      [rules.locked, { code: "BranchLocked" }],
      [pull.isBehind || isOutOfDate, { code: "BranchBehind", base }],
    ]),
    ...rules.checks.flatMap((check) => judgeCheck(check, pull.checks)),
    ...judgeReviews(rules, pull),
    ...pick([
      [rules.conversations && open > 0, { code: "ThreadsOpen", open }],
      [rules.signatures && unsigned > 0, { code: "CommitsUnsigned", unsigned }],
      [rules.environments.length > 0, { code: "DeploymentsMissing", environments: rules.environments }],
    ]),
  ];
  return [...known, ...readDemandsIn(why, known)];
}
