import { type ApprovalRule } from "#libs/campaign";
import { printRule } from "../markdown/approval-rule.ts";
import { explainRefusedMerge, type RefusedMerge } from "../merges/demands.ts";
import {
  type MergeStyle,
  nameScm,
  printApproveCommand,
  printMergeCommand,
  type ScmWords,
} from "../merges/merge-command.ts";
import { listReviewRules, type ReviewRule } from "../merges/review-rules.ts";
import { nameResume, nameResumeVerb } from "../resume-command.ts";
import { listChoices } from "../stop-choices.ts";
import { printText, type Text } from "../text.ts";
import { type CampaignOwners, nameOwners, type StopWords } from "./runs.ts";
import { unknownPerson, us, type Wording, type Wordings } from "./wording.ts";

/** A stage of a campaign. */
interface StageWords {
  readonly campaign: CampaignOwners & { readonly file: string };
  readonly stage: string;
}

interface PullWords extends StageWords {
  readonly number: number;
}

/** How people merge into the branch; absent: not known. */
interface MergedBy extends ScmWords {
  readonly style?: MergeStyle | undefined;
}

/** The pull request that it waits for. */
function nameWait(reason: PullWords): string {
  return `${nameStage(reason)} waits in pull request ${reason.number}`;
}

function nameStage({ campaign, stage }: StageWords): string {
  return `stage ${stage} of ${campaign.name}`;
}

/** Shares of one pattern, as a person sets them. */
export interface SharesToSet {
  readonly pattern: string;
  readonly shares: readonly { readonly revision: string; readonly weight: number }[];
}

function printShares(changes: readonly SharesToSet[]): string {
  const print = ({ shares }: SharesToSet): string =>
    shares.map(({ revision, weight }) => `${revision} ${weight}`).join(", ");
  return changes.map((each) => `${each.pattern} to ${print(each)}`).join("; ");
}

/** Why a pull request is not merged automatically yet; without `why` its list, notice or checks. */
function wordNotice(reason: PullWords & { readonly waitsFor: "list" | "notice" | "checks" }): Wording {
  const until = {
    list: "once its list is recorded",
    notice: "after its notice period, once both checks are green",
    checks: "once both checks are green",
  }[reason.waitsFor];
  return { message: `${nameStage(reason)} merges itself by pull request ${reason.number} ${until}`, owner: us };
}

/** Who has to approve, by the stage's approval rule; without one the campaign's owners. */
function nameReviewers(reason: StageWords & { readonly from: readonly string[] }): string {
  return reason.from.length === 0 ? nameOwners(reason.campaign) : reason.from.join(", ");
}

interface MergedByHand {
  readonly from: readonly string[];
}

/** Why the next stage of a campaign is not proposed, or not merged, yet. */
export const stageReasons = {
  StageUnjudged: () => ({ message: "planner is evaluating a newer commit of main", owner: us }),
  StageRunning: (reason: { readonly campaign: string; readonly run: string; readonly of: string }) => ({
    message: `the next stage waits for run ${reason.run} of ${reason.of} to finish`,
    owner: us,
    command: `meshroll status ${reason.campaign}`,
  }),
  StageHeld: (reason: StageWords & { readonly stop: StopWords; readonly more: number }) => {
    const { stop, more } = reason;
    const others = more === 0 ? "" : ` (and ${more} more)`;
    const word = nameResumeVerb(stop) === "unhold" ? "held" : "paused";
    return {
      message: `${nameStage(reason)} is not proposed: ${stop.scope} is ${word}${others}: ${stop.why}`,
      owner: stop.who,
      // Where there are several choices the first, which is the safest.
      command: listChoices(stop)[0]?.command ?? nameResume(stop),
    };
  },
  StageImpossible: (reason: StageWords & { readonly why: string | undefined; readonly help: string | undefined }) => ({
    message:
      `${nameStage(reason)} cannot be proposed: ${reason.why ?? "its shares cannot be raised"}` +
      (reason.help === undefined ? "" : `; ${reason.help}`),
    owner: nameOwners(reason.campaign),
    command: `meshroll validate ${reason.campaign.file}`,
  }),
  StageEmpty: (reason: StageWords & { readonly line: number; readonly set: Readonly<Record<string, number>> }) => {
    const shares = Object.entries(reason.set).map(([pattern, weight]) => `${pattern} ${weight} %`);
    return {
      message:
        `${nameStage(reason)} (${shares.join(", ")}) moves no workload: no managed namespace gets another ` +
        `revision; raise its percentage in ${reason.campaign.file}:${reason.line}, or remove the stage`,
      owner: nameOwners(reason.campaign),
      command: `meshroll plan ${reason.campaign.name}`,
    };
  },
  /** `run`, `of`: the newest run of the stage before, and that stage. */
  StageNoEvidence: (reason: StageWords & { readonly run: string; readonly of: string }) => {
    const { file } = reason.campaign;
    return {
      message:
        `${nameStage(reason)} waits: run ${reason.run} of stage ${reason.of} migrated no workload, so there is no evidence; ` +
        `remove stage ${reason.of} from ${file}, or merge minWorkloads: 0 for it`,
      owner: nameOwners(reason.campaign),
      command: `meshroll validate ${file}`,
    };
  },
  StageByHand: (
    reason: StageWords & {
      readonly changes: readonly SharesToSet[];
      readonly branch: string;
      readonly path: string;
      /** Why meshroll does not write it; absent = GitHub is not configured. */
      readonly why?: string;
    },
  ) => {
    const { branch, path, why = "GitHub is not configured (MESHROLL_GITHUB_REPOSITORY)" } = reason;
    const edit = `git switch -c ${branch} origin/main && "\${EDITOR:-vi}" ${path}`;
    const commit = `git commit -am "Stage ${reason.stage} of ${reason.campaign.name}"`;
    const whole = `git fetch origin && ${edit} && ${commit} && git push origin ${branch}`;
    return {
      message: `${nameStage(reason)} waits for a person to set ${printShares(reason.changes)}: ${why}`,
      owner: nameOwners(reason.campaign),
      command: reason.why === undefined ? whole : edit,
    };
  },
  StageOpening: (reason: StageWords) => ({ message: `${nameStage(reason)} is proposed in a moment`, owner: us }),
  StageFailed: (reason: StageWords & { readonly why: string }) => ({
    message: `${nameStage(reason)} has no pull request yet: ${reason.why}`,
    owner: nameOwners(reason.campaign),
  }),
  StageTaken: (
    reason: StageWords & { readonly by: string; readonly branch: string; readonly number?: number | undefined },
  ) => {
    const where = reason.number === undefined ? "" : ` (pull request ${reason.number})`;
    return {
      message:
        `${nameStage(reason)} waits for ${reason.by}, who committed to ${reason.branch}${where}: ` +
        "meshroll does not change it; merge it, or delete the branch",
      owner: reason.by,
      command: `git push origin --delete ${reason.branch}`,
    };
  },
  StageMerged: (reason: PullWords) => ({
    message: `${nameStage(reason)} was merged by pull request ${reason.number}: main is read next`,
    owner: us,
  }),
  StageClosed: (reason: PullWords & { readonly by: string | undefined }) => ({
    message:
      `${nameStage(reason)} was closed unmerged by pull request ${reason.number} ` +
      `(${reason.by ?? unknownPerson}): its hold is recorded next`,
    owner: us,
  }),
  StageRefused: (reason: PullWords & RefusedMerge & MergedBy) => ({
    message:
      `${nameStage(reason)} is not merged by pull request ${reason.number}, which ${nameScm(reason)} does not let meshroll merge: ` +
      explainRefusedMerge(reason),
    owner: nameOwners(reason.campaign),
    command: printMergeCommand(reason, true),
  }),
  ReviewRulesMissing: (reason: PullWords & { readonly branch: string; readonly rules: readonly ReviewRule[] }) => ({
    message:
      `${nameStage(reason)} does not merge itself by pull request ${reason.number}: the rules of ${reason.branch} do not demand ` +
      `${listReviewRules(reason.rules)}; demand it, or merge by hand`,
    owner: nameOwners(reason.campaign),
    command: "meshroll doctor --only github",
  }),
  PlanRed: (reason: PullWords & { readonly why: Text }) => ({
    message: `${nameWait(reason)}, whose check meshroll/plan is red: ${printText(reason.why)}`,
    owner: nameOwners(reason.campaign),
  }),
  ApprovalNeeded: (
    reason: PullWords & MergedByHand & ScmWords & { readonly rule: ApprovalRule; readonly why: Text },
  ) => ({
    message: `${nameWait(reason)} for ${printRule(reason.rule)}: ${printText(reason.why)}`,
    owner: nameReviewers(reason),
    command: printApproveCommand(reason),
  }),
  MergeNeeded: (reason: PullWords & MergedByHand & MergedBy & { readonly url: string }) => ({
    message: `${nameStage(reason)} waits for a person to merge pull request ${reason.number}: ${reason.url}`,
    owner: nameReviewers(reason),
    command: printMergeCommand(reason),
  }),
  MergeNotice: wordNotice,
  StageQueued: (reason: PullWords) => ({
    message: `${nameStage(reason)} is in the merge queue as pull request ${reason.number}, until the checks of its group are green`,
    owner: "the merge queue",
    command: `gh pr checks ${reason.number}`,
  }),
  GitHubUnread: ({ stage }: { readonly stage: string }) => ({
    message: `${stage} may be proposed, but this planner has not read GitHub: is it configured?`,
    owner: "the operator of the planner",
    command: "meshroll doctor",
  }),
  ProposalNext: ({ stage }: { readonly stage: string }) => ({
    message: `the pull request for ${stage} opens next`,
    owner: us,
  }),
} satisfies Wordings;
