import { lookUp } from "#libs/input";

import { type Decision, parseTime, printTime, type Reason, type RunRecord, type Snapshot } from "../records/index.ts";
import type { RunView } from "../index/index.ts";
import type { StageVerdict } from "../proposals/index.ts";
import type { StopStatus } from "../stops/index.ts";
import type { PullStatus } from "./campaign-status.ts";

/** A wait, and what waits. */
export interface ScopedReason extends Reason {
  readonly scope: string;
}

type NextVerdict = Exclude<StageVerdict, { readonly kind: "complete" }>;

/** Who has to say yes. */
function nameApprovers({ stage }: NextVerdict): string {
  const { from, required } = stage.settings.approvals;
  const whose = from.length === 0 ? "whoever may review" : from.join(" or ");
  return required === 0 ? "whoever may merge" : whose;
}

/** A pull request that merges itself: when, as far as the ledger knows its head. */
function waitForNotice(snapshot: Snapshot, verdict: NextVerdict, pull: PullStatus, notice: number): Reason {
  const since = lookUp(snapshot.ledger?.plans, pull.headSha)?.at;
  const until = since === undefined ? undefined : parseTime(since) + notice;
  const isOver = until === undefined || until <= snapshot.now;
  const still = isOver ? "" : " and its notice is over";
  const message = `#${pull.number} for ${verdict.stage.name} merges itself once its checks are green${still}`;
  return { code: "MergeNotice", message, owner: "meshroll", ...(isOver ? {} : { until: printTime(until) }) };
}

/** What its open pull request waits for. */
function waitForPull(snapshot: Snapshot, verdict: NextVerdict, pull: PullStatus): Reason {
  const { autoMerge, approvals } = verdict.stage.settings;
  const name = `#${pull.number} for ${verdict.stage.name}`;
  if (pull.checks?.plan === "failure") {
    return { code: "PlanRed", message: `${name} is red: ${pull.url}`, owner: "whoever reads its check meshroll/plan" };
  }
  if (autoMerge !== undefined) return waitForNotice(snapshot, verdict, pull, autoMerge.notice);
  const isApproved = approvals.required === 0 || pull.checks?.approvals === "success";
  const missing = `${approvals.required} approval${approvals.required === 1 ? "" : "s"}`;
  const message = isApproved ? `${name} waits to be merged: ${pull.url}` : `${name} waits for ${missing}: ${pull.url}`;
  return { code: isApproved ? "MergeNeeded" : "ApprovalNeeded", message, owner: nameApprovers(verdict) };
}

/** Why the next stage is not merged yet: its verdict, its pull request, or that there is none yet. */
function waitForStage(snapshot: Snapshot, verdict: NextVerdict, pull: PullStatus | undefined): Reason {
  if (verdict.kind === "wait") return verdict.reason;
  if (pull?.state === "open" && pull.stage === verdict.stage.name) return waitForPull(snapshot, verdict, pull);
  const { name } = verdict.stage;
  if (snapshot.pulls === undefined) {
    const message = `${name} may be proposed, but this planner has not read GitHub: is it configured?`;
    return { code: "GitHubUnread", message, owner: "whoever runs the planner", command: "meshroll doctor" };
  }
  return { code: "ProposalNext", message: `the pull request for ${name} opens next`, owner: "meshroll" };
}

/** A pause in the words in which a batch that it keeps back names it. */
function waitForStop({ scope, who, why, until, command }: StopStatus): ScopedReason {
  const message = `${scope} is stopped by ${who}: ${why}`;
  return { scope, code: "Stopped", message, owner: who, command, ...(until === undefined ? {} : { until }) };
}

/** Pauses of all of it: told also when nothing is due that they keep back. One of a cluster is told where it holds work. */
function listPauses(stops: readonly StopStatus[], told: readonly ScopedReason[]): readonly ScopedReason[] {
  const commands = new Set(told.map(({ command }) => command));
  return stops
    .filter(
      ({ scope, strength, command }) => strength === "move" && !scope.startsWith("cluster/") && !commands.has(command),
    )
    .map(waitForStop);
}

/** Everything that the waits of one campaign are read from. */
export interface WaitQuestion {
  readonly snapshot: Snapshot;
  readonly name: string;
  readonly views: readonly RunView[];
  /** Open runs of others that change a bucket of it. */
  readonly others: readonly RunRecord[];
  readonly decisions: readonly Decision[];
  readonly verdict: StageVerdict | undefined;
  readonly pull: PullStatus | undefined;
  /** That bind it. */
  readonly stops: readonly StopStatus[];
}

/** The next stage's; while a run is open that is what is waited for, and it is told already. */
function listStageWait({ snapshot, name, views, verdict, pull }: WaitQuestion): readonly ScopedReason[] {
  if (verdict === undefined || verdict.kind === "complete" || views.length > 0) return [];
  return [{ scope: `campaign/${name}`, ...waitForStage(snapshot, verdict, pull) }];
}

/** Waits that concern a campaign, each cause of a scope once: those that a person ends first. */
export function listCampaignWaits(question: WaitQuestion): readonly ScopedReason[] {
  const { name, views, others, decisions, stops } = question;
  const runs = [...views.map(({ run }) => run), ...others];
  const subjects = new Set(["all", `campaign/${name}`, ...runs.map(({ id }) => `run/${id}`)]);
  const waits: ScopedReason[] = decisions.flatMap((each) =>
    each.kind === "wait" && subjects.has(each.scope.split("@")[0] ?? "") ? [{ scope: each.scope, ...each.reason }] : [],
  );
  // Without a planner nobody proposes: what a planner would wait for is not to the point.
  const isAlone = waits.some(({ code }) => code === "NoPlanner");
  const codes = new Set(waits.map(({ code }) => code));
  const stage = isAlone ? [] : listStageWait(question).filter(({ code }) => !codes.has(code));
  const told = [...waits, ...stage];
  const all = [...listPauses(stops, told), ...told];
  return all.toSorted((a, b) => Number(a.command === undefined) - Number(b.command === undefined));
}
