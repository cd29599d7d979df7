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

/** What the executor of one cluster looks at before it writes: its own cache, its own newest main, control. */
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

/** The executor's snapshot, with where each workload of its cluster stands by it. */
export interface Lookout {
  readonly snapshot: ExecutorSnapshot;
  /** Head's files, or the last that parsed: what moves is watched to its end also while main does not parse. */
  readonly spec: Spec | undefined;
  /** By which every workload is judged; also while main does not contain it, and no workload may move by it. */
  readonly ledger: LedgerState | undefined;
  readonly judged: JudgedWorkloads;
  /** The commit that the ledger has for the job's run is in the first-parent history of main; false without a job. */
  readonly hasJob: boolean;
}

/** The API server said nothing for so long: what is cached is not known any more, real ms (rules 9.1). */
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
 * Control is only worth what this process can check itself: a commit it names and we lack makes it unknown (rules 4.3). A
 * ledger that does not contain control's may lack a stop whose verb has left the bus already.
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

/** Why the newest ledger is not used: what this process read, or the planner says. Named in the cluster's problems too. */
function findDoubt({ control, troubles }: Surroundings, view: RepositorySnapshot | undefined): Reason | undefined {
  const told = control.state()?.ledgerDoubt;
  const heard: Reason | undefined = told === undefined ? undefined : { code: "LedgerDoubted", told };
  const doubt = view?.doubt === undefined ? heard : nameDoubt(view.doubt);
  if (doubt === undefined) troubles.clear("ledger");
  else troubles.put("ledger", `${doubt.code}: ${printText(renderReason(doubt).message)}`);
  return doubt;
}

/** The state of every workload by these files; empty while there are none. */
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
  /** Main has what control names. */
  readonly hasMain: boolean;
  /** The ledger that was read is the one that control names, or has grown out of it. */
  readonly hasLedger: boolean;
  /** Main has the job's commit. */
  readonly hasJob: boolean;
}

/** What the ledger has for the run; what a job says of it is not asked. */
function findCommit(ledger: LedgerState | undefined, run: string | undefined): string | undefined {
  return run === undefined ? undefined : lookUp(ledger?.runs, run)?.commit;
}

/** What an answer of git is about: what control names, and what was read. */
function nameHeads(repositorySnapshots: RepositorySnapshots, control: ControlView): string {
  const { main: named = "", ledger: recorded = "" } = control.state() ?? {};
  const { main, ledger } = repositorySnapshots.view() ?? {};
  return [named, recorded, main?.head, ledger?.head].join(" ");
}

/** A planner before the first record names none. */
async function hasNamedLedger(repositorySnapshots: RepositorySnapshots, control: ControlView): Promise<boolean> {
  const named = control.state()?.ledger;
  return named === undefined || repositorySnapshots.hasRecorded(named);
}

/**
 * Queries git, which may hang behind a fetch. When main or control's word for it changed meanwhile the answer is about the
 * past: then control counts as ahead, and the next reconcile asks again.
 */
async function askGit({ repositorySnapshots, control }: Surroundings, run: string | undefined): Promise<Contained> {
  const about = nameHeads(repositorySnapshots, control);
  const contains = async (commit: string | undefined) => commit !== undefined && repositorySnapshots.contains(commit);
  const hasMain = await contains(control.state()?.main);
  const hasLedger = await hasNamedLedger(repositorySnapshots, control);
  const hasJob = await contains(findCommit(repositorySnapshots.view()?.ledger, run));
  const recorded = repositorySnapshots.view()?.ledger;
  await repositorySnapshots.want(
    listWantedCommits(control.requests(), recorded),
    listWantedRuns(control.requests(), recorded),
  );
  return about === nameHeads(repositorySnapshots, control) ? { hasMain, hasLedger, hasJob } : unknown;
}

const unknown: Contained = { hasMain: false, hasLedger: false, hasJob: false };

/** A reconcile waits no longer for git, real ms: the clone may be replaced, which takes a server that answers. */
const gitWaitMs = 2_000;

/** Given to the abort: without one a DOMException is made, with its stack, at each reconcile. */
const inTime = new Error("git answered in time");

async function askGitInTime(surroundings: Surroundings, run: string | undefined): Promise<Contained> {
  const answered = new AbortController();
  const late = surroundings.clock.sleepReal(gitWaitMs, answered.signal).then(() => {
    throw new Error(`git has not said a word for ${gitWaitMs / 1000} s`);
  });
  try {
    return await Promise.race([askGit(surroundings, run), late]);
  } finally {
    // What is late by then is requested again by the next reconcile, and only once at a time.
    late.catch(() => undefined);
    answered.abort(inTime);
  }
}

/** Longer than two fetches are apart, real ms: this process gets no word from the git server. */
const silentMs = 150_000;

/** Why nothing moves forward soon, or already: for people. */
function nameSilence({ repositorySnapshots, troubles }: Surroundings): void {
  const { ageMs = Number.POSITIVE_INFINITY } = repositorySnapshots.view()?.main ?? {};
  const since = Number.isFinite(ageMs) ? "for minutes" : "since this executor began";
  const effect = "nothing moves forward on a main of ten minutes ago, rollback --now still works";
  if (ageMs > silentMs) troubles.put("git server", `the git server has not answered ${since}: ${effect}`);
  else troubles.clear("git server");
}

/** A git that does not start, or whose clone is being fixed, says nothing about the batch: no workload is moved, what moves is watched. */
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

/** What rolls, writes not yet seen in the watch included. */
function listRolling({ pending }: Surroundings, judged: JudgedWorkloads): ReadonlySet<string> {
  const rolling = new Set([...judged.list("rolling")].map((each) => each.key));
  for (const key of pending.keys()) rolling.add(key);
  return rolling;
}

/** Whether the cluster says that it is ours. */
function judgeClaim({ installation: found }: ClusterSnapshot["facts"], own: string): ExecutorSnapshot["claim"] {
  return found === undefined ? "none" : found === own ? "own" : "other";
}

/** Of an open run whose commits are not read, or which main does not have. */
function hasUnreadRun({ ledger, specs }: MainState): boolean {
  return Object.values(ledger?.runs ?? {}).some(
    ({ state, before, commit }) => state === "open" && !(specs.has(before) && specs.has(commit)),
  );
}

/** Looks around once, perhaps for a job of that run; everything in the answer is of this moment. */
export async function takeSnapshot(surroundings: Surroundings, run?: string): Promise<Lookout> {
  const contained = await askGitPatiently(surroundings, run);
  nameSilence(surroundings);
  // Everything below is read in one turn, after all that is waited for: nothing in it is older than the rest.
  const view = surroundings.repositorySnapshots.view();
  const control = judgeControl(surroundings, view, contained);
  const doubt = findDoubt(surroundings, view);
  const cluster = describeCluster(surroundings);
  const mainState = readMain(view);
  const { head, ledger, spec, specs } = mainState;
  const placed = collectMoveStops(ledger, surroundings.control.requests(), [cluster], head && { head, specs });
  // What was found in another cluster's ConfigMap is that cluster's own.
  const stops = placed.filter(({ foundIn }) => foundIn === undefined || foundIn === cluster.name);
  const judged = judgeAll(surroundings, cluster, mainState, stops);
  const rolling = listRolling(surroundings, judged);
  const settings = spec?.settings;
  const settingsFor = (of: RunRecord | undefined) => settingsOver({ head, settings }, of);
  const stalled = listStalled({ judged, serverNow: cluster.serverNow, settingsFor });
  const pace = surroundings.pace.reconcile({ rolling, stalled }, cluster, surroundings.clock.elapsed());
  const snapshot: ExecutorSnapshot = {
    claim: judgeClaim(cluster.facts, surroundings.installation),
    control,
    mainAgeMs: view?.main.ageMs ?? Number.POSITIVE_INFINITY,
    ...(doubt === undefined ? {} : { ledgerDoubt: doubt }),
    head,
    settings,
    now: surroundings.clock.now(),
    // What is judged by it is watched and put back; no workload is handed on under a main that does not contain it (rules 1.7).
    ledger: mainState.isRewritten ? undefined : ledger,
    ...(hasUnreadRun(mainState) ? { hasUnreadRun: true } : {}),
    stops,
    cluster,
    judged,
    rolling,
    stalled,
    pace,
  };
  return { snapshot, spec, ledger, judged, hasJob: contained.hasJob };
}
