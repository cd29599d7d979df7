import { coversOneOf, findNamed, findRunNamed, lookUp } from "#libs/input";
import { type Reason, renderReason, writeText } from "#libs/wording";

import {
  type Decision,
  findRollbackOf,
  parseTime,
  printTime,
  type RunRecord,
  type Snapshot,
} from "../records/index.ts";
import type { RunView } from "../index/index.ts";
import { nameStage, type StageVerdict } from "../proposals/index.ts";
import { isUnderRollback, nameStop, type StopStatus } from "../stops/index.ts";
import type { PullStatus, WaitStatus } from "./campaign-status.ts";
import { mergeRunStops, type Wait } from "./waits/merge-run-stops.ts";

/**
 * A wait for people. A stop of a run that is being rolled back, or was taken back by later runs, offers no choices any more.
 */
export function renderWait({ scope, reason }: Wait, { ledger }: Snapshot, stops: readonly StopStatus[]): WaitStatus {
  const run = "stop" in reason ? lookUp(ledger?.runs, findRunNamed(reason.stop.scope) ?? "") : undefined;
  const isTakenBack = run !== undefined && findRollbackOf(run, Object.values(ledger?.runs ?? {})) !== undefined;
  const isRollingBack = "stop" in reason && (isTakenBack || isUnderRollback(reason.stop, stops));
  return { scope, ...renderReason(isRollingBack ? { ...reason, stop: { ...reason.stop, isRollingBack } } : reason) };
}

type NextVerdict = Exclude<StageVerdict, { readonly kind: "complete" }>;

/** The wait of a stage that is merged automatically: until its notice is over, or for its checks. */
function waitForNotice(snapshot: Snapshot, verdict: NextVerdict, pull: PullStatus, notice: number): Reason {
  const since = lookUp(snapshot.ledger?.plans, pull.headSha)?.at;
  const until = since === undefined ? undefined : parseTime(since) + notice;
  const own = { code: "MergeNotice", ...nameStage(verdict), number: pull.number } as const;
  if (until === undefined || until <= snapshot.now) return { ...own, waitsFor: "checks" };
  return { ...own, waitsFor: "notice", until: printTime(until) };
}

/** What the stage's open pull request waits for. */
function waitForPull(snapshot: Snapshot, verdict: NextVerdict, pull: PullStatus): Reason {
  const { settings } = verdict.stage;
  const { approvals } = settings;
  const notice = settings.autoMerge?.notice;
  const { number, url, checks } = pull;
  const own = { ...nameStage(verdict), number };
  if (checks?.plan === "failure") return { code: "PlanRed", ...own, why: writeText(url) };
  if (notice !== undefined) return waitForNotice(snapshot, verdict, pull, notice);
  const { from } = approvals;
  const isApproved = approvals.required === 0 || checks?.approvals === "success";
  if (isApproved) return { code: "MergeNeeded", ...own, from, url };
  return { code: "ApprovalNeeded", ...own, from, rule: approvals, why: writeText(url) };
}

/** Why the next stage is not merged yet: the verdict on it, its pull request, or that it has none yet. */
function waitForStage(snapshot: Snapshot, verdict: NextVerdict, pull: PullStatus | undefined): Reason {
  if (verdict.kind === "wait") return verdict.reason;
  if (pull?.state === "open" && pull.stage === verdict.stage.name) return waitForPull(snapshot, verdict, pull);
  const { name } = verdict.stage;
  return { code: snapshot.pulls === undefined ? "GitHubUnread" : "ProposalNext", stage: name };
}

/** A pause as a wait, with the same words as the wait of a batch that it holds. */
function waitForStop(stop: StopStatus): Wait {
  const { scope, until } = stop;
  return { scope, reason: { ...nameStop(stop), ...(until === undefined ? {} : { until }) } };
}

/** The strength and scope of stops that are listed already; another stop with the same ones ends with the same command. */
function listNamedStops(listed: readonly Wait[]): ReadonlySet<string> {
  return new Set(
    listed.flatMap(({ reason }) => ("stop" in reason ? [`${reason.stop.strength} ${reason.stop.scope}`] : [])),
  );
}

/**
 * Pauses that bind the campaign, listed even when nothing is due that they hold. Those of a cluster are left out: they are
 * listed where they hold work.
 */
function listPauses(stops: readonly StopStatus[], listed: readonly Wait[]): readonly Wait[] {
  const known = listNamedStops(listed);
  const isUntold = ({ strength, scope }: StopStatus): boolean => !known.has(`${strength} ${scope}`);
  return stops
    .filter((stop) => stop.strength === "move" && findNamed("cluster", stop.scope) === undefined && isUntold(stop))
    .map(waitForStop);
}

/** The facts for the waits of one campaign. */
export interface WaitQuestion {
  readonly snapshot: Snapshot;
  readonly name: string;
  readonly views: readonly RunView[];
  /** Open runs outside of the campaign that change one of its buckets. */
  readonly others: readonly RunRecord[];
  readonly decisions: readonly Decision[];
  readonly verdict: StageVerdict | undefined;
  readonly pull: PullStatus | undefined;
  /** Stops that bind the campaign. */
  readonly stops: readonly StopStatus[];
}

/** The wait of the next stage; none while a run is open, because the run's own waits are listed. */
function listStageWait({ snapshot, name, views, verdict, pull }: WaitQuestion): readonly Wait[] {
  if (verdict === undefined || verdict.kind === "complete" || views.length > 0) return [];
  return [{ scope: `campaign/${name}`, reason: waitForStage(snapshot, verdict, pull) }];
}

/** The waits of a campaign, each cause of a scope once; those that a person can end come first. */
export function listCampaignWaits(question: WaitQuestion): readonly WaitStatus[] {
  const { snapshot, name, views, others, decisions, stops } = question;
  const runs = [...views.map(({ run }) => run), ...others];
  const ids: readonly (string | undefined)[] = runs.map(({ id }) => id);
  const waits = decisions.filter(
    (each) =>
      each.kind === "wait" && (coversOneOf(each.scope, { campaign: [name] }) || ids.includes(findRunNamed(each.scope))),
  ) as readonly Wait[];
  // Without a planner nothing is proposed, so what a stage waits for does not matter.
  const codes = new Set(waits.map(({ reason }) => reason.code));
  const stage = codes.has("NoPlanner") ? [] : listStageWait(question).filter(({ reason }) => !codes.has(reason.code));
  const listed = [...waits, ...stage];
  const merged = mergeRunStops([...listPauses(stops, listed), ...listed], stops, snapshot);
  const all = merged.map((wait) => renderWait(wait, snapshot, stops));
  return all.toSorted((a, b) => Number(a.command === undefined) - Number(b.command === undefined));
}
