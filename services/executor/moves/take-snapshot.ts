import { lookUp } from "#libs/input";
import type {
  ActiveStop,
  ClusterSnapshot,
  ExecutorSnapshot,
  LedgerState,
  RunRecord,
  Spec,
  JudgedWorkloads,
} from "#libs/plan";
import { printText, type Reason, renderReason } from "#libs/wording";
import {
  ClusterIndex,
  collectMoveStops,
  createOwnership,
  listStalled,
  listWantedCommits,
  listWantedRuns,
  nameDoubt,
  noWorkloads,
  settingsOver,
} from "#libs/plan";
import type { Cluster } from "#libs/kube";
import type { RepositorySnapshots, RepositorySnapshot } from "#libs/repository";
import type { Clock } from "#libs/runtime";

import type { ControlView } from "../control/follow-control.ts";
import type { PaceMemory } from "../writes/batch-pace.ts";
import type { PendingWrites } from "../writes/pending-writes.ts";
import type { Troubles } from "../messages/troubles.ts";
import { type MainState, readMain } from "../control/main-state.ts";

/** What the executor of one cluster reads before it writes: its own cache, its own newest main, control. */
export interface Surroundings {
  readonly installation: string;
  readonly cluster: Cluster;
  readonly mode: "observe" | "act";
  readonly repositorySnapshots: RepositorySnapshots;
  readonly control: ControlView;
  readonly pending: PendingWrites;
  readonly pace: PaceMemory;
  readonly troubles: Pick<Troubles, "put" | "clear">;
  readonly clock: Clock;
}

/** The executor's snapshot, with the files and the ledger by which each workload of the cluster was judged. */
export interface JudgedSnapshot {
  readonly snapshot: ExecutorSnapshot;
  /** Head's files, or the last that parsed: moves are watched to their end while main does not parse. */
  readonly spec: Spec | undefined;
  /**
   * The ledger by which workloads are judged. Set also when main does not contain it; then `snapshot.ledger` is undefined and
   * nothing moves.
   */
  readonly ledger: LedgerState | undefined;
  readonly judged: JudgedWorkloads;
  /** Main's first-parent history contains the commit that the ledger records for the run; false without a run. */
  readonly hasRunCommit: boolean;
}

/** After this time without an answer of the API server the cache counts as unknown, real ms (rules 9.1). */
const cacheLimitMs = 60_000;

function describeCluster({ cluster, mode, clock }: Surroundings): ClusterSnapshot {
  const ageMs = clock.monotonic() - cluster.view.seenAtMonotonic();
  const facts = { ...cluster.view.facts(), mode, problems: [] };
  return {
    name: cluster.name,
    facts,
    ...(facts.serverAt === undefined ? {} : { serverNow: facts.serverAt }),
    namespaces: cluster.view.namespaces,
    ageMs,
    fresh: ageMs <= cacheLimitMs,
    batch: undefined,
    batchEndedAt: 0,
  };
}

/**
 * What control is worth: only what this process can check itself. A commit that it names and this clone lacks makes it `ahead`
 * (rules 4.3). A ledger that does not contain control's may lack a stop whose verb has already left the bus.
 */
function judgeControl(
  { control }: Surroundings,
  view: RepositorySnapshot | undefined,
  { hasMain, hasLedger }: Contained,
): "fresh" | "stale" | "ahead" {
  const state = control.state();
  if (state === undefined || view === undefined || !control.isFresh()) return "stale";
  if (view.doubt !== undefined || state.ledgerDoubt !== undefined) return "ahead";
  return hasMain && hasLedger ? "fresh" : "ahead";
}

/**
 * Why the newest ledger is not used, by what this process read or the planner reports. Also put among the cluster's problems.
 */
function findDoubt({ control, troubles }: Surroundings, view: RepositorySnapshot | undefined): Reason | undefined {
  const planners = control.state()?.ledgerDoubt;
  const heard: Reason | undefined = planners === undefined ? undefined : { code: "LedgerDoubted", told: planners };
  const doubt = view?.doubt === undefined ? heard : nameDoubt(view.doubt);
  if (doubt === undefined) troubles.clear("ledger");
  else troubles.put("ledger", `${doubt.code}: ${printText(renderReason(doubt).message)}`);
  return doubt;
}

/** Judges every workload by these files; empty while there are none. */
function judgeAll(
  { clock }: Surroundings,
  cluster: ClusterSnapshot,
  { ledger, spec, specs }: MainState,
  stops: readonly ActiveStop[],
): JudgedWorkloads {
  if (spec === undefined) return noWorkloads;
  const ownerOf = createOwnership(spec, ledger, specs, stops);
  return new ClusterIndex({ cluster, head: spec, ownerOf, now: clock.now(), waitingSince: new Map() });
}

interface Contained {
  /** Main contains the commit that control names. */
  readonly hasMain: boolean;
  /** The ledger that was read contains the head that control names. */
  readonly hasLedger: boolean;
  /** Main contains the run's commit. */
  readonly hasRunCommit: boolean;
}

/** The run's commit as the ledger records it; a job comes from Redis and is not trusted for it. */
function findCommit(ledger: LedgerState | undefined, run: string | undefined): string | undefined {
  return run === undefined ? undefined : lookUp(ledger?.runs, run)?.commit;
}

/** All heads that an answer of git depends on, as one text to compare. */
function nameHeads(repositorySnapshots: RepositorySnapshots, control: ControlView): string {
  const { main: named = "", ledger: recorded = "" } = control.state() ?? {};
  const { main, ledger } = repositorySnapshots.view() ?? {};
  return [named, recorded, main?.head, ledger?.head].join(" ");
}

/** Control names no ledger before its first record. */
async function hasNamedLedger(repositorySnapshots: RepositorySnapshots, control: ControlView): Promise<boolean> {
  const named = control.state()?.ledger;
  return named === undefined || repositorySnapshots.hasRecorded(named);
}

/**
 * Asks git, which may wait behind a fetch. When the heads changed meanwhile the answer is out of date: control then counts as
 * `ahead`, and the next reconcile asks again.
 */
async function askGit({ repositorySnapshots, control }: Surroundings, run: string | undefined): Promise<Contained> {
  const about = nameHeads(repositorySnapshots, control);
  const contains = async (commit: string | undefined) => commit !== undefined && repositorySnapshots.contains(commit);
  const hasMain = await contains(control.state()?.main);
  const hasLedger = await hasNamedLedger(repositorySnapshots, control);
  const hasRunCommit = await contains(findCommit(repositorySnapshots.view()?.ledger, run));
  const recorded = repositorySnapshots.view()?.ledger;
  await repositorySnapshots.want(
    listWantedCommits(control.requests(), recorded),
    listWantedRuns(control.requests(), recorded),
  );
  return about === nameHeads(repositorySnapshots, control) ? { hasMain, hasLedger, hasRunCommit } : unknown;
}

const unknown: Contained = { hasMain: false, hasLedger: false, hasRunCommit: false };

/** How long a reconcile waits for git, real ms: replacing a broken clone takes as long as the server does. */
const gitWaitMs = 2_000;

/** Passed to `abort` as its reason; without one each reconcile would create a DOMException with a stack. */
const inTime = new Error("git answered in time");

async function askGitInTime(surroundings: Surroundings, run: string | undefined): Promise<Contained> {
  const answered = new AbortController();
  const late = surroundings.clock.sleepReal(gitWaitMs, answered.signal).then(() => {
    throw new Error(`git has printed nothing for ${gitWaitMs / 1000} s`);
  });
  try {
    return await Promise.race([askGit(surroundings, run), late]);
  } finally {
    // The question that is still open is not lost: the next reconcile asks again.
    late.catch(() => undefined);
    answered.abort(inTime);
  }
}

/** Longer than the time between two fetches, real ms: the git server does not answer. */
const silentMs = 150_000;

/** Puts a problem when main is so old that moves forward end soon or have ended. */
function reportSilence({ repositorySnapshots, troubles }: Surroundings): void {
  const { ageMs = Number.POSITIVE_INFINITY } = repositorySnapshots.view()?.main ?? {};
  const since = Number.isFinite(ageMs) ? "for minutes" : "since this executor began";
  const effect = "nothing moves forward on a main of ten minutes ago, rollback --now still works";
  if (ageMs > silentMs) troubles.put("git server", `the git server has not answered ${since}: ${effect}`);
  else troubles.clear("git server");
}

/** As `askGit`, but a git that fails or is too slow gives "unknown": no workload is moved, and what moves is still watched. */
async function askGitPatiently(surroundings: Surroundings, run: string | undefined): Promise<Contained> {
  const { troubles } = surroundings;
  try {
    const contained = await askGitInTime(surroundings, run);
    troubles.clear("git");
    return contained;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    troubles.put("git", `nothing moves while git does not say what main contains: ${why}`);
    return unknown;
  }
}

/** The keys of all that rolls, including writes that the watch has not shown yet. */
function listRolling({ pending }: Surroundings, judged: JudgedWorkloads): ReadonlySet<string> {
  const rolling = new Set([...judged.list("rolling")].map((each) => each.key));
  for (const key of pending.keys()) rolling.add(key);
  return rolling;
}

/** Whether the cluster is claimed by this installation, by another one, or by none. */
function judgeClaim({ installation: found }: ClusterSnapshot["facts"], own: string): ExecutorSnapshot["claim"] {
  return found === undefined ? "none" : found === own ? "own" : "other";
}

/** Whether the commits of an open run were not read, or are not in main. */
function hasUnreadRun({ ledger, specs }: MainState): boolean {
  return Object.values(ledger?.runs ?? {}).some(
    ({ state, before, commit }) => state === "open" && !(specs.has(before) && specs.has(commit)),
  );
}

/** Takes a snapshot, for a job with the run that it moves. */
export async function takeSnapshot(surroundings: Surroundings, run?: string): Promise<JudgedSnapshot> {
  const contained = await askGitPatiently(surroundings, run);
  reportSilence(surroundings);
  // Read without an await in between, after everything that is waited for, so that all parts are of the same moment.
  const view = surroundings.repositorySnapshots.view();
  const control = judgeControl(surroundings, view, contained);
  const doubt = findDoubt(surroundings, view);
  const cluster = describeCluster(surroundings);
  const mainState = readMain(view);
  const { head, ledger, spec, specs } = mainState;
  const placed = collectMoveStops(ledger, surroundings.control.requests(), [cluster], head && { head, specs });
  // A stop in the ConfigMap of another cluster holds only there.
  const stops = placed.filter(({ foundIn }) => foundIn === undefined || foundIn === cluster.name);
  const judged = judgeAll(surroundings, cluster, mainState, stops);
  const rolling = listRolling(surroundings, judged);
  const settings = spec?.settings;
  const settingsFor = (of: RunRecord | undefined) => settingsOver({ head, settings }, of);
  const stalled = listStalled({ judged, serverNow: cluster.serverNow, settingsFor });
  const pace = surroundings.pace.update({ rolling, stalled }, cluster, surroundings.clock.elapsed());
  const snapshot: ExecutorSnapshot = {
    claim: judgeClaim(cluster.facts, surroundings.installation),
    control,
    mainAgeMs: view?.main.ageMs ?? Number.POSITIVE_INFINITY,
    ...(doubt === undefined ? {} : { ledgerDoubt: doubt }),
    head,
    settings,
    now: surroundings.clock.now(),
    // Undefined where main does not contain it: rolling workloads are still watched and put back, but none is moved (rules
    // 1.7).
    ledger: mainState.isRewritten ? undefined : ledger,
    ...(hasUnreadRun(mainState) ? { hasUnreadRun: true } : {}),
    stops,
    cluster,
    judged,
    rolling,
    stalled,
    pace,
  };
  return { snapshot, spec, ledger, judged, hasRunCommit: contained.hasRunCommit };
}
