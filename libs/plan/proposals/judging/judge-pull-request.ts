import type { Finding } from "#libs/rollouts";
import type { ChangeReport, ChangeWords, PlanCheck, PlanFinding, PullRequestJudgement } from "#libs/wording";

import { findNewestSpec } from "../../main/index.ts";
import { listNewlyUnread } from "../../stops/index.ts";
import { dropAbsent, type Snapshot, type Spec } from "../../records/index.ts";
import { findOutgrown } from "../approvals/find-outgrown.ts";
import { listKnownClusters } from "../stages/find-obstacle.ts";
import { judgeApprovals } from "../approvals/judge-approvals.ts";
import { judgeCampaignFiles } from "./judge-campaigns.ts";
import { describeChange, type FileChange } from "./judge-change.ts";
import type { MergedFiles, PullRequestQuestion } from "./pull-request-facts.ts";
import { judgeStagePart } from "./judge-stage.ts";
import { listHolding } from "./judge-stops.ts";
import { describeMoves, printMoveList } from "./list-moves.ts";
import type { Proposal } from "../proposal.ts";
import { proposeChange } from "./propose-change.ts";

type Files = Extract<MergedFiles, { readonly kind: "files" }>;

function listUnseen(snapshot: Snapshot): readonly string[] {
  return listKnownClusters(snapshot).filter((name) => snapshot.clusters.get(name)?.fresh !== true);
}

function describeFiles(change: FileChange): ChangeWords {
  const { isRollback, settings, campaigns, unread } = change;
  return { isRollback, settings, campaigns, unread };
}

/** The verdict on a change that parses. Errors come before holds, because a person has to fix them first. */
function judgeChange(
  question: PullRequestQuestion,
  files: Files,
  change: FileChange,
  proposal: Proposal,
  list: string,
): PlanCheck {
  const { snapshot } = question;
  const { texts } = files;
  const { note, obstacle } = judgeStagePart(question, change);
  const report: ChangeReport = {
    change: describeFiles(change),
    ...dropAbsent({ note }),
    campaignFiles: judgeCampaignFiles(change, proposal.names),
    moves: describeMoves(proposal, change, question.digest(list)),
    unseen: listUnseen(snapshot),
  };
  // A rollback is not refused for errors of the older files: it must not wait for them to be fixed.
  const errors = change.isRollback ? [] : proposal.findings;
  if (snapshot.clusters.size === 0 && !change.isRollback && change.buckets.length > 0)
    return { state: "pending", finding: { kind: "noCluster", change: report.change } };
  if (errors.length > 0) return { state: "failure", finding: { kind: "refused", findings: errors, texts, report } };
  const stops = listHolding(change, snapshot);
  if (stops.length > 0) return { state: "failure", finding: { kind: "held", stops, report } };
  if (obstacle !== undefined)
    return { state: obstacle.state, finding: { kind: "stage", obstacle: obstacle.obstacle, report } };
  const ties = change.isRollback ? proposal.findings : proposal.idlePatterns;
  const findings = [...files.compiled.findings, ...ties];
  const changesBuckets = change.buckets.length > 0;
  return { state: "success", finding: { kind: "judged", changesBuckets, report: { ...report, findings, texts } } };
}

/** Findings against campaigns that become unusable by the merge, or that it changes without making them usable. */
function listBroken({ compiled, campaigns }: Files, before: Spec | undefined): readonly Finding[] {
  if (!compiled.ok) return compiled.findings;
  const { campaigns: broken, folder } = listNewlyUnread(before, compiled.spec, campaigns);
  const files = new Set(broken.map(({ file }) => file));
  const found = compiled.findings.filter(({ file }) => files.has(file));
  return [...(folder === undefined ? [] : [folder]), ...new Set([...found, ...broken.map(({ finding }) => finding)])];
}

function judgeFiles(question: PullRequestQuestion, files: Files): PullRequestJudgement {
  const { snapshot } = question;
  const before = findNewestSpec(snapshot);
  const broken = listBroken(files, before);
  const change = before === undefined ? undefined : describeChange(files, before, snapshot);
  const proposal = change === undefined ? undefined : proposeChange(change, snapshot);
  const outgrown =
    change === undefined || proposal === undefined ? undefined : findOutgrown(question, change, proposal);
  const approvals = judgeApprovals(question, change, outgrown);
  const without = (state: PlanCheck["state"], finding: PlanFinding): PullRequestJudgement => {
    return { plan: { state, finding }, approvals, isRollback: false, list: "" };
  };
  if (broken.length > 0) return without("failure", { kind: "refused", findings: broken, texts: files.texts });
  if (change === undefined || proposal === undefined) return without("success", { kind: "nothing", because: "unread" });
  if (change.isNothing) return without("success", { kind: "nothing", because: "same" });
  const list = printMoveList(proposal);
  const plan = judgeChange(question, files, change, proposal, list);
  return { plan, approvals, isRollback: change.isRollback, list };
}

/**
 * The two checks of one pull request, ours or not: what its merge does to the fleet and whether something holds it, and whether
 * enough people approved its present head (rules 10.1).
 */
export function judgePullRequest(question: PullRequestQuestion): PullRequestJudgement {
  const { merged } = question;
  const untold = { isRollback: false, list: "" };
  switch (merged.kind) {
    case "untouched": {
      const verdict = { state: "neutral", finding: { kind: "untouched" } } as const;
      return { plan: verdict, approvals: verdict, ...untold };
    }
    case "conflict": {
      const plan = { state: "failure", finding: { kind: "conflict", paths: merged.paths } } as const;
      return { plan, approvals: judgeApprovals(question, undefined), ...untold };
    }
    case "files":
      return judgeFiles(question, merged);
  }
}
