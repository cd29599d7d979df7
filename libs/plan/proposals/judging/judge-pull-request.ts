import { lookUp } from "#libs/input";
import { renderFindings, type Finding } from "#libs/rollouts";

import { findBelonging } from "../../transitions/index.ts";
import { type ActiveStop, listNewlyUnread } from "../../stops/index.ts";
import type { Snapshot, Spec } from "../../records/index.ts";
import { judgeApprovals } from "../approvals/judge-approvals.ts";
import { printCampaigns } from "./judge-campaigns.ts";
import { describeChange, type FileChange, findBefore } from "./judge-change.ts";
import {
  type CheckVerdict,
  code,
  fitTitle,
  type MergedFiles,
  printFinding,
  type PullRequestQuestion,
  type PullRequestVerdict,
} from "./pull-request-facts.ts";
import { judgeStagePart } from "./judge-stage.ts";
import { describeHolding, listHolding } from "./judge-stops.ts";
import { countMigrating, printMoveList, printProposal } from "./write-summary.ts";
import { fitSummary, printNumber } from "../print-tables.ts";
import { type Proposal, proposeMoves } from "../proposal.ts";

type Files = Extract<MergedFiles, { readonly kind: "files" }>;

const untouchedTitle = "not judged: it changes nothing that meshroll reads";
const untouchedText =
  "It changes nothing that meshroll reads, so meshroll does not judge it, counts no approvals of it and does not merge it. " +
  "Who has to agree to it is said by `CODEOWNERS` and by the protection of the branch.";

/** Without anything to say of the fleet. */
function conclude(state: CheckVerdict["state"], title: string, summary = title): CheckVerdict {
  return { state, title: fitTitle(title), summary: fitSummary(summary) };
}

/** Findings that a check shows, errors first: a file may have thousands, and GitHub cuts the text anyway. */
const shownFindings = 50;

/** Findings with the lines that they speak of, one block per file. */
function printFindings(findings: readonly Finding[], texts: Files["texts"]): string {
  const errors = findings.filter(({ severity }) => severity === "error");
  const others = findings.filter(({ severity }) => severity !== "error");
  const shown = [...errors, ...others].slice(0, shownFindings);
  const files = [...new Set(shown.map(({ file }) => file))];
  const blocks = files.map((file) => {
    const here = shown.filter((finding) => finding.file === file);
    return `\`\`\`\`text\n${renderFindings(here, lookUp(texts, file) ?? "")}\n\`\`\`\``;
  });
  const more = findings.length - shown.length;
  return [...blocks, ...(more > 0 ? [`${printNumber(more)} more findings are not shown.`] : [])].join("\n\n");
}

function refuseFindings(findings: readonly Finding[], texts: Files["texts"], rest = ""): CheckVerdict {
  const errors = findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const title = first === undefined ? "the files cannot be read" : `${printFinding(first)}${more}`;
  return conclude("failure", title, [printFindings(findings, texts), rest].filter((part) => part !== "").join("\n\n"));
}

function refuseConflict(paths: readonly string[]): CheckVerdict {
  const where = paths.length === 0 ? ": they have no common history" : ` in ${paths.join(", ")}`;
  const title = `conflicts with main${where}`;
  return conclude("failure", title, `It ${title}. To fix it: merge main into the branch, and push.`);
}

/** Which clusters the counts rest on, when some of them are not seen now. */
function describeReport({ clusters }: Snapshot): string {
  const unseen = [...clusters.values()].filter(({ fresh }) => !fresh).map(({ name }) => name);
  return unseen.length === 0 ? "" : `Not seen now, counted as last seen: ${unseen.map(code).join(", ")}.`;
}

const shownPaths = 10;

function describeUnread(paths: readonly string[]): string {
  const more = paths.length > shownPaths ? ` and ${paths.length - shownPaths} more` : "";
  const names = paths.slice(0, shownPaths).map(code).join(", ");
  return `It also changes ${names}${more}, which meshroll does not read: so it needs approvals like any other change.`;
}

/** Who reviews this has to see it: nothing else of a settings file gives or takes the right to write. */
function describeSigners({ before, after }: FileChange): readonly string[] {
  const [old, now] = [before, after].map(({ settings }) => settings.ledgerSigners ?? []);
  const list = (keys: readonly string[] = []): string => (keys.length === 0 ? "none" : keys.map(code).join(", "));
  if (list(old) === list(now)) return [];
  const open = now?.length === 0 ? ": then everyone with push access to `meshroll/ledger` may write it" : "";
  return [`**Who may write the ledger changes**, from ${list(old)} to ${list(now)}${open}.`];
}

function describeOthers(change: FileChange): string {
  const lines: string[] = [];
  if (change.isRollback) lines.push("It restores what main had before: nothing holds it, and it needs no approval.");
  if (change.settings) lines.push("`meshroll.yml` gets other values.", ...describeSigners(change));
  if (change.campaigns.length > 0) lines.push(`Campaigns change: ${change.campaigns.map(code).join(", ")}.`);
  if (change.unread.length > 0) lines.push(describeUnread(change.unread));
  return lines.join(" ");
}

function titleMoves(proposal: Proposal): string {
  const { workloads, pods } = countMigrating(proposal);
  return `${proposal.moves.length} of ${proposal.namespaces} namespaces move: ${workloads} workloads, ${pods} pods`;
}

function describeHeld(holding: readonly ActiveStop[]): { readonly title: string; readonly text: string } | undefined {
  const [first] = holding;
  if (first === undefined) return undefined;
  const more = holding.length > 1 ? ` (and ${holding.length - 1} more)` : "";
  const lines = holding.map(describeHolding).join("\n");
  return {
    title: `held by ${first.who}: ${first.why}${more}`,
    text: `**Held**: it must not be merged now.\n\n${lines}`,
  };
}

/** The verdict on a change that parses; errors before holds, for a person has to fix them first. */
function judgeChange(
  question: PullRequestQuestion,
  files: Files,
  change: FileChange,
  proposal: Proposal,
  list: string,
): CheckVerdict {
  const { snapshot } = question;
  const table = printProposal(proposal, change, question.digest(list));
  const stage = judgeStagePart(question, change);
  const campaigns = printCampaigns(change, proposal.names);
  const parts = [describeOthers(change), ...stage.lines, campaigns, table, describeReport(snapshot)];
  const join = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n\n");
  // What main had once is taken as it was: a rollback must not wait for a tie to be fixed.
  const errors = change.isRollback ? [] : proposal.findings;
  if (snapshot.clusters.size === 0 && !change.isRollback && change.buckets.length > 0)
    return conclude("pending", "no cluster was seen yet: what moves is unknown", join(describeOthers(change)));
  if (errors.length > 0) return refuseFindings(errors, files.texts, join(...parts));
  const held = describeHeld(listHolding(change, snapshot));
  if (held !== undefined) return conclude("failure", held.title, join(held.text, ...parts));
  if (stage.obstacle !== undefined)
    return conclude(stage.obstacle.state, stage.obstacle.title, join(stage.obstacle.summary, ...parts));
  const warnings = printFindings(
    [...files.compiled.findings, ...(change.isRollback ? proposal.findings : [])],
    files.texts,
  );
  const title = change.buckets.length === 0 ? "no bucket of rollouts.yml changes" : titleMoves(proposal);
  return conclude("success", title, join(...parts, warnings));
}

/** Campaigns that could be used before the merge and cannot after it, and those that it changes without putting them right. */
function listBroken({ compiled, campaigns }: Files, before: Spec | undefined): readonly Finding[] {
  if (!compiled.ok) return compiled.findings;
  const { campaigns: broken, folder } = listNewlyUnread(before, compiled.spec, campaigns);
  const files = new Set(broken.map(({ file }) => file));
  const found = compiled.findings.filter(({ file }) => files.has(file));
  return [...(folder === undefined ? [] : [folder]), ...new Set([...found, ...broken.map(({ finding }) => finding)])];
}

function judgeFiles(question: PullRequestQuestion, files: Files): PullRequestVerdict {
  const { snapshot } = question;
  const before = findBefore(snapshot);
  const broken = listBroken(files, before);
  const change = before === undefined ? undefined : describeChange(files, before, snapshot);
  const approvals = judgeApprovals(question, change);
  const without = (plan: CheckVerdict): PullRequestVerdict => ({ plan, approvals, isRollback: false, list: "" });
  if (broken.length > 0) return without(refuseFindings(broken, files.texts));
  if (change === undefined)
    return without(conclude("success", "it parses; main does not, so there is nothing to compare it with"));
  if (change.isNothing) return without(conclude("success", "the files say afterwards what they say now"));
  const belonging = snapshot.ledger === undefined ? {} : findBelonging(snapshot.ledger, change.after, change.buckets);
  const owner = change.isRollback ? {} : belonging;
  const proposal = proposeMoves(change.before, change.after, snapshot.clusters.values(), snapshot.now, owner);
  const list = printMoveList(proposal);
  const plan = judgeChange(question, files, change, proposal, list);
  return { plan, approvals, isRollback: change.isRollback, list };
}

/**
 * The two checks of one pull request, ours or not: what merging it would do to the fleet and whether anything stands
 * against it, and whether enough people agreed to its head as it is (rules 10.1).
 */
export function judgePullRequest(question: PullRequestQuestion): PullRequestVerdict {
  const { merged } = question;
  const untold = { isRollback: false, list: "" };
  switch (merged.kind) {
    case "untouched": {
      const verdict = conclude("neutral", untouchedTitle, untouchedText);
      return { plan: verdict, approvals: verdict, ...untold };
    }
    case "conflict":
      return { plan: refuseConflict(merged.paths), approvals: judgeApprovals(question, undefined), ...untold };
    case "files":
      return judgeFiles(question, merged);
  }
}
