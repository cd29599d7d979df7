import { compileSpec, type LedgerState, type RunRecord } from "#libs/plan";

import type { Evidence } from "../../../auditor/evidence/evidence.ts";
import { nameObject, readRunAnnotation, readTarget, replaySteering } from "../../../auditor/reading/writes/replay.ts";
import { judgeBreaks } from "./judge-breaks.ts";
import type { CampaignWalk } from "../campaign-walk.ts";
import { isClosed, type WalkCampaign } from "./shape.ts";

/** How long a merge may take to be seen, or a batch in hand to finish, ms. */
const graceMs = 95_000;

interface Moved {
  readonly run: string;
  readonly cluster: string;
  readonly at: number;
  readonly key: string;
  readonly target: string | undefined;
}

/** Our forward writes to workloads. */
function listMoves({ clusters }: Evidence): readonly Moved[] {
  return clusters.flatMap((cluster) =>
    replaySteering(cluster)
      .filter(({ isUndo, isWorkload }) => !isUndo && isWorkload)
      .map((each) => ({
        run: readRunAnnotation(each.write)?.run ?? "",
        cluster: cluster.name,
        at: each.write.at,
        key: nameObject(cluster.name, each.write.path),
        target: readTarget(each),
      })),
  );
}

const endOf = ({ endedAt }: RunRecord): number =>
  endedAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(endedAt);

/** The bake that these files demand of a run; 0 where they have no campaign for it. */
function readBake({ sha, rollouts, settings, campaigns }: Evidence["main"][number], run: RunRecord): number {
  const compiled = compileSpec(sha, rollouts, settings, campaigns);
  if (!compiled.ok) return Number.POSITIVE_INFINITY;
  const campaign = compiled.spec.campaigns.get(run.campaign ?? "");
  const stage = campaign?.stages.find(({ name }) => name === run.stage) ?? campaign?.stages[0];
  return stage?.settings.bake ?? 0;
}

/**
 * The shortest bake that main demanded within the grace before the run's end: the campaign may have been deleted and merged
 * again in that time.
 */
function findNeededBake({ main }: Evidence, run: RunRecord, end: number): number {
  const first = main.findLast(({ at }) => at <= end - graceMs);
  const since = main.filter(({ at }) => at > end - graceMs && at <= end);
  const asked = [...(first === undefined ? [] : [first]), ...since].map((commit) => readBake(commit, run));
  return Math.min(...asked.filter(Number.isFinite), ...(first === undefined ? [0] : []));
}

function judgeBake(evidence: Evidence, run: RunRecord): readonly string[] {
  const end = endOf(run);
  const needed = findNeededBake(evidence, run, end);
  const { id, bake } = run;
  const took = bake === undefined ? 0 : Math.min(end - Date.parse(bake.beganAt), bake.healthyMs);
  return took < needed ? [`run ${id} is done after a bake of ${took} ms, ${needed} were asked for`] : [];
}

/** 6.2: a run that moved a workload forward is done only after its bake. */
function judgeBakes(evidence: Evidence, { runs }: LedgerState): readonly string[] {
  const baked = Object.values(runs).filter(({ state, changes, outcome }) => {
    const isForward = changes.some(({ direction }) => direction === "forward");
    const hasMoved = outcome !== undefined && outcome.migrated > 0;
    return state === "done" && isForward && hasMoved && outcome.takenOverBy === undefined;
  });
  return baked.flatMap((run) => judgeBake(evidence, run));
}

/** The campaign that main had at this time; undefined if it changed within the grace. */
function findShape({ shapes }: CampaignWalk, at: number): WalkCampaign | undefined {
  const [now, before] = [at, at - graceMs].map((then) => shapes.findLast((each) => each.at <= then));
  return now === before ? now?.shape : undefined;
}

/** Nothing moves forward in a closed window, except a batch in hand. */
function judgeWindows(walk: CampaignWalk, moves: readonly Moved[], ledger: LedgerState): readonly string[] {
  return moves.flatMap(({ run, at, key, target }) => {
    const shape = findShape(walk, at);
    const record = ledger.runs[run];
    if (shape === undefined || record === undefined || record.campaign !== shape.name || target !== "new") return [];
    const isRollback = record.changes.every(({ direction }) => direction === "rollback");
    const isFinishing = shape.closed?.atEnd === "finishStage";
    if (isRollback || isFinishing || !isClosed(shape, at)) return [];
    return isClosed(shape, at - graceMs)
      ? [`${key} moved by ${run} at ${at / 1000}, long after its window closed`]
      : [];
  });
}

/** 6.1: a wave moves nothing before the one before it made its last move. */
function judgeWaves(walk: CampaignWalk, moves: readonly Moved[], ledger: LedgerState): readonly string[] {
  return Object.values(ledger.runs).flatMap((run) => {
    const shapes = walk.shapes.filter(({ at }) => at >= Date.parse(run.startedAt) - graceMs && at <= endOf(run));
    const order = findShape(walk, Date.parse(run.startedAt))?.order ?? [];
    const isRollback = run.changes.every(({ direction }) => direction === "rollback");
    // Other rules judge rollbacks, runs during which the campaign changed, runs of no campaign, and runs with one wave.
    if (isRollback || shapes.length > 0 || run.campaign !== walk.shape.name || order.length < 2) return [];
    // A namespace whose exclusion ends during the run comes late, into waves that are over.
    const isLate = (key: string): boolean => walk.shape.excludeUntil !== undefined && key.includes(":shop-b/");
    const own = moves.filter(
      ({ run: id, key, target }) => id === run.id && target === "new" && !walk.touched.has(key) && !isLate(key),
    );
    // The next wave does not wait for clusters that main excludes, nor for those that joined after the run began.
    const isAwaited = (cluster: string): boolean =>
      run.expected?.includes(cluster) !== false && !walk.leftSkipped.has(cluster);
    const waves = order.map((wave) =>
      own.filter(({ cluster }) => wave.includes(cluster) && isAwaited(cluster)).map(({ at }) => at),
    );
    return waves.slice(1).flatMap((wave, index) => {
      const before = Math.max(...waves.slice(0, index + 1).flat());
      const first = Math.min(...wave);
      return first < before ? [`run ${run.id}: wave ${index + 2} moved at ${first}, the one before at ${before}`] : [];
    });
  });
}

function isOpenAt({ reopened }: CampaignWalk, run: RunRecord, at: number): boolean {
  const wasOver = reopened.some((gap) => gap.run === run.id && gap.endedAt <= at + 1000 && at <= gap.at);
  return Date.parse(run.startedAt) < at && endOf(run) > at + 1000 && !wasOver;
}

/** 1.5: no stage is proposed while the campaign is stopped or a run of it is open. */
async function judgeProposals(walk: CampaignWalk, ledger: LedgerState): Promise<readonly string[]> {
  const faults: string[] = [];
  const ana = walk.scm.as("ana");
  for (let number = 1; ; number += 1) {
    const pull = await ana.findPullRequest(number);
    if (pull === undefined) return faults;
    const campaign = /^meshroll\/([^/]+)\//u.exec(pull.branch)?.[1];
    if (campaign === undefined || campaign === "rollback") continue;
    const at = pull.createdAt;
    const runs = Object.values(ledger.runs).filter((run) => run.state !== "gone");
    const own = runs.filter((run) => run.campaign === campaign);
    const bucket = campaign === "zpay" ? "pay-.*" : "production";
    const open = runs.filter((run) => isOpenAt(walk, run, at) && (own.includes(run) || run.buckets.includes(bucket)));
    const scopes = new Set(["all", `campaign/${campaign}`, ...[...own, ...open].map(({ id }) => `run/${id}`)]);
    const held = Object.values(ledger.stops).filter(
      (stop) =>
        scopes.has(stop.scope) && Date.parse(stop.at) < at && !(Date.parse(stop.resume?.at ?? "9999-01-01") <= at),
    );
    faults.push(
      ...open.map(({ id }) => `pull request ${number} of ${pull.branch} was opened while run ${id} was open`),
      ...held.map(({ id, scope }) => `pull request ${number} of ${pull.branch} was opened under ${id} on ${scope}`),
    );
  }
}

function judgeWrites({ writes, restarts }: CampaignWalk): readonly string[] {
  // The write budget is in the planner's memory; after a restart it counts from what it finds on the pull request.
  const most = 8 + restarts * 4;
  return [...writes].filter(([, count]) => count > most).map(([head, count]) => `${count} writes for head ${head}`);
}

/** Faults of a walk against the rules of campaigns, in addition to the auditor's. */
export async function judgeCampaignRules(
  walk: CampaignWalk,
  evidence: Evidence,
  ledger: LedgerState,
  commits: number,
): Promise<readonly string[]> {
  const moves = listMoves(evidence);
  // Commits for each run: start and end, each wave's opening and end in each cluster, and each tenth of its bake.
  const runs = Object.keys(ledger.runs).length * (14 + 2 * walk.refs.size);
  const most = 60 + runs + 2 * walk.requests + 3 * walk.merges;
  return [
    // After a forced push main no longer has the file that demanded the bake.
    ...(walk.hasForced ? [] : judgeBakes(evidence, ledger)),
    ...judgeWindows(walk, moves, ledger),
    ...judgeWaves(walk, moves, ledger),
    ...(await judgeProposals(walk, ledger)),
    ...(await judgeBreaks(walk, moves, ledger.runs, graceMs)),
    ...judgeWrites(walk),
    ...(commits > most ? [`${commits} ledger commits, more than ${most}`] : []),
  ];
}
