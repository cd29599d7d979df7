import type { ApprovalRule } from "#libs/campaign";

import { type ApprovalCause, printDemand } from "../../markdown/approval-rule.ts";
import { code, escapeCell, fitTitle } from "../../markdown/cells.ts";
import { type ApprovalGap, printGap, titleGap } from "./approval-gap.ts";
import { type CheckVerdict, writeCheck } from "../pull-text.ts";

/** Why no approval is needed. */
export type ApprovalExemption =
  /** It makes exactly the changes of a stage with automatic merges. */
  | { readonly kind: "ownStage"; readonly stage: string }
  /** It is the pull request that meshroll opened for a rollback which a person requested. */
  | { readonly kind: "rollback" };

/** The count of one rule, and its teams that are not known. */
export interface ApprovalCount {
  readonly rule: ApprovalRule;
  readonly names: readonly string[];
  /** All who approved, also accounts that the rule does not name; `wanted` of them are needed where one more is. */
  readonly voters: number;
  readonly wanted: number;
  /** Slugs. */
  readonly unknown: readonly string[];
  readonly cause: ApprovalCause;
}

/** An approval of a shorter list: since then main changed, and the same merge moves more. */
export interface OutgrownApproval {
  readonly by: string;
  /** How many of the present moves were on the list at that time. */
  readonly listed: number;
  readonly moved: number;
}

/** The reviews, sorted by what they count; lists of logins. */
export interface ApprovalVotes {
  /** Approvals of the present head by accounts with write access that took no part in it. */
  readonly approved: readonly string[];
  /** Such approvals of a shorter list than now; they are requested again. */
  readonly outgrown: readonly OutgrownApproval[];
  readonly against: readonly string[];
  /** Approved an earlier head. */
  readonly stale: readonly string[];
  /** Approved a change of which they made a part. */
  readonly involved: readonly string[];
  /** Approved without the right to write now, or while that right is unknown. */
  readonly powerless: readonly string[];
}

/** The votes on a head; `gap`: why one more approval is needed. */
export interface ApprovalTally {
  readonly head: string;
  readonly votes: ApprovalVotes;
  readonly counts: readonly ApprovalCount[];
  readonly gap?: ApprovalGap;
}

/** The result of `meshroll/approvals`. */
export type ApprovalFinding =
  | { readonly kind: "untouched" }
  | { readonly kind: "exempt"; readonly exemption: ApprovalExemption }
  | { readonly kind: "objections"; readonly tally: ApprovalTally }
  /** `shown`: the first rule that is not met, or the first of all. */
  | { readonly kind: "counted"; readonly shown: ApprovalCount | undefined; readonly tally: ApprovalTally };

export interface ApprovalsCheck {
  readonly state: CheckVerdict["state"];
  readonly finding: ApprovalFinding;
}

function printExemption(exemption: ApprovalExemption): string {
  switch (exemption.kind) {
    case "ownStage":
      return `none needed: stage ${exemption.stage} merges itself`;
    case "rollback":
      return "none needed: meshroll opened it for a rollback that was requested";
  }
}

function listNames(names: readonly string[]): string {
  return names.map((name) => `**${escapeCell(name)}**`).join(", ");
}

/** The end of a title: the one more approval, and the approvals that are requested again. */
function titleMore({ rule, voters, wanted }: ApprovalCount, { gap, votes }: ApprovalTally): string {
  const isMore = gap !== undefined && wanted !== rule.required;
  const more = isMore ? `; ${voters} of ${wanted} in all, because ${titleGap(gap)}` : "";
  const [again] = votes.outgrown;
  return again === undefined ? more : `${more}; ${again.by} approved ${again.listed} of ${again.moved} workloads`;
}

function titleCount(count: ApprovalCount, tally: ApprovalTally): string {
  const { rule, names, unknown } = count;
  const whose = rule.from.length === 0 ? "" : ` from ${rule.from.join(" or ")}`;
  const lost =
    unknown.length === 0 || names.length >= rule.required
      ? ""
      : `: ${unknown.map((slug) => `team:${slug}`).join(", ")} is not known`;
  return fitTitle(`${names.length} of ${rule.required} approvals${whose}${lost}${titleMore(count, tally)}`);
}

function describeCount({ rule, names, unknown, cause }: ApprovalCount): readonly string[] {
  const by = names.length === 0 ? "none yet" : listNames(names);
  const line = `${printDemand(rule, cause)}: ${names.length} of ${rule.required}, by ${by}.`;
  if (unknown.length === 0) return [line];
  const teams = unknown.map((slug) => code(`team:${slug}`)).join(", ");
  return [
    line,
    `${teams} is not known: there is no such team, or meshroll's token may not read its members (\`read:org\`).`,
  ];
}

function describeGap(gap: ApprovalGap | undefined): readonly string[] {
  if (gap === undefined) return [];
  return [`It needs one approval more than each rule says, of anyone who may write, because ${printGap(gap)}.`];
}

function describeOutgrown({ by, listed, moved }: OutgrownApproval): string {
  return `**${escapeCell(by)}** approved when ${listed} of the ${moved} workloads were on the list; main changed, so please look again.`;
}

function describeVotes({ head, votes, counts, gap }: ApprovalTally): string {
  const say = (text: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${text}: ${listNames(names)}.`];
  return [
    `Approvals of the head ${code(head.slice(0, 12))}. Those of bots do not count.`,
    ...counts.flatMap(describeCount),
    ...describeGap(gap),
    ...say("Changes were requested by", votes.against),
    ...votes.outgrown.map(describeOutgrown),
    ...say("Approved an earlier head, and have to look again", votes.stale),
    ...say("Not counted, because they opened it, or wrote or committed a part of it", votes.involved),
    ...say("Not counted, because they may not write to the repository now", votes.powerless),
  ].join("\n\n");
}

/** The parts of a check, before they become opaque texts. */
interface Finding {
  readonly title: string;
  readonly summary: string;
}

export function renderUntouched(): Finding {
  return {
    title: "not judged: it changes nothing that meshroll reads",
    summary:
      "It changes nothing that meshroll reads, so meshroll does not judge it, counts no approvals of it and does not merge it. " +
      "`CODEOWNERS` and the branch protection say who has to approve it.",
  };
}

function renderFinding(finding: ApprovalFinding): Finding {
  switch (finding.kind) {
    case "untouched":
      return renderUntouched();
    case "exempt": {
      const title = printExemption(finding.exemption);
      return { title, summary: title };
    }
    case "objections": {
      const { tally } = finding;
      const title = fitTitle(`changes requested by ${tally.votes.against.join(", ")}`);
      return { title, summary: describeVotes(tally) };
    }
    case "counted": {
      const { shown, tally } = finding;
      return {
        title: shown === undefined ? "no approval is needed" : titleCount(shown, tally),
        summary: describeVotes(tally),
      };
    }
  }
}

export function renderApprovalsCheck({ state, finding }: ApprovalsCheck): CheckVerdict {
  const { title, summary } = renderFinding(finding);
  return writeCheck(state, title, summary);
}
