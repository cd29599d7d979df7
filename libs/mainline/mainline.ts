import type { Commit, RolloutsRepository } from "#libs/git";
import type { Ledger } from "#libs/ledger";
import {
  campaignsFolder,
  type CommitFacts,
  type CompiledSpec,
  compileSpec,
  isCampaignPath,
  type LedgerState,
  type MainFacts,
  type RunRecord,
  rolloutsPath,
  settingsPath,
  type Spec,
  type SpecPoint,
} from "#libs/plan";
import type { Clock } from "#libs/runtime";

/** Main and ledger as one fetch found them (rules 1.7: never a main read before the ledger). */
export interface MainlineView {
  readonly main: MainFacts;
  readonly ledger: LedgerState | undefined;
  /** Parsed files by commit: head when it parses, the one last judged, and those that runs name. */
  readonly specs: ReadonlyMap<string, Spec>;
}

/** Reads main and the ledger; the one way in which planner, executor and CLI learn what was merged. */
export interface Mainline {
  /** Fetches both heads at once. Throws what the repository throws; the last view stays, and grows old. */
  refresh(signal?: AbortSignal): Promise<MainlineView>;
  /** The last view with its age as of now; undefined before the first refresh. */
  view(): MainlineView | undefined;
  /** After this process pushed a ledger commit: the same main, judged with the state that the push made. */
  adopt(state: LedgerState): Promise<MainlineView>;
  /** True when a commit lies in the first-parent history of the main last fetched. */
  contains(commit: string): Promise<boolean>;
}

interface Reading {
  readonly head: string;
  readonly readAt: number;
}

function describeCommit(commit: Commit): CommitFacts {
  return { sha: commit.sha, author: commit.author, at: commit.at, subject: commit.message.split("\n")[0] ?? "" };
}

/** The newest runs stay at hand though they are over: a rollback of one counts from the moment it is asked (rules 2.4). */
const recentRuns = 8;

/** By the order of main; those whose commit vanished are over, and may be nowhere any more. */
function listLivingRuns(ledger: LedgerState): readonly RunRecord[] {
  return Object.values(ledger.runs)
    .filter((run) => run.state !== "gone")
    .toSorted((a, b) => a.order - b.order);
}

/** Commits whose files must be at hand: what was judged last, and every run from the oldest open one on. */
function listNeededCommits(ledger: LedgerState): readonly string[] {
  const runs = listLivingRuns(ledger);
  const oldest = runs.findIndex((run) => run.state === "open");
  const needed = oldest < 0 ? [] : runs.slice(oldest);
  return [ledger.judged, ...needed.flatMap((run) => [run.before, run.commit])];
}

/** Commits that are good to have: of the newest runs, and what rollbacks in force go back to. */
function listUsefulCommits(ledger: LedgerState): readonly string[] {
  const reverts = Object.values(ledger.stops).flatMap((stop) => {
    const run = stop.lift === undefined ? ledger.runs[stop.scope.slice("run/".length)] : undefined;
    return stop.revertTo === undefined || run === undefined ? [] : [stop.revertTo, run.before, run.commit];
  });
  const living = listLivingRuns(ledger);
  const open = new Set(living.flatMap(({ state, campaign }) => (state === "open" ? (campaign ?? []) : [])));
  // What an earlier run of a campaign left over belongs to its open one (rules 1.3).
  const recent = living.filter(
    ({ campaign }, index) => index >= living.length - recentRuns || open.has(campaign ?? ""),
  );
  return [...recent.flatMap((run) => [run.before, run.commit]), ...reverts];
}

/** The mainline over one clone of the rollouts repository. */
export function createMainline(repository: RolloutsRepository, ledger: Ledger, clock: Clock): Mainline {
  const compiled = new Map<string, CompiledSpec>();
  const answers = new Map<string, boolean>();
  let adoptions = 0;
  let reading: Reading | undefined;
  let latest: MainlineView | undefined;

  async function compile(sha: string): Promise<CompiledSpec> {
    const known = compiled.get(sha);
    if (known !== undefined) return known;
    const rollouts = await repository.read(sha, rolloutsPath);
    const made = compileSpec(sha, rollouts, await repository.read(sha, settingsPath), await readCampaigns(sha));
    compiled.set(sha, made);
    return made;
  }

  /** Unfinished campaigns: those that do not stand in `campaigns/done/`. */
  async function readCampaigns(sha: string): Promise<Readonly<Record<string, string>>> {
    const texts: Record<string, string> = {};
    for (const path of await repository.list(sha, campaignsFolder)) {
      const text = isCampaignPath(path) ? await repository.read(sha, path) : undefined;
      if (text !== undefined) texts[path] = text;
    }
    return texts;
  }

  async function readPoint(commit: CommitFacts): Promise<SpecPoint> {
    const made = await compile(commit.sha);
    return made.ok ? { commit, spec: made.spec } : { commit, findings: made.findings };
  }

  async function collectSpecs(needed: ReadonlySet<string>): Promise<ReadonlyMap<string, Spec>> {
    const specs = new Map<string, Spec>();
    for (const sha of needed) {
      const made = await compile(sha);
      if (made.ok) specs.set(sha, made.spec);
    }
    // Only what is named now is kept: a clone that lives for months must not remember every commit it ever read.
    for (const sha of compiled.keys()) if (!needed.has(sha)) compiled.delete(sha);
    return specs;
  }

  /** Recorded commits that main does not contain any more. */
  async function findVanished(head: string, state: LedgerState): Promise<readonly string[]> {
    const recorded = [state.baseline.commit, state.judged, ...Object.values(state.runs).map((run) => run.commit)];
    const vanished: string[] = [];
    for (const sha of new Set(recorded)) if (!(await repository.contains(head, sha))) vanished.push(sha);
    return vanished;
  }

  /** What must be at hand, and what is good to have: a run that was over before a rewrite may name a commit that is nowhere. */
  async function listNamed(head: string, state: LedgerState): Promise<readonly string[]> {
    const named = new Set(listNeededCommits(state));
    for (const sha of listUsefulCommits(state)) {
      if (!named.has(sha) && (await repository.contains(head, sha))) named.add(sha);
    }
    return [...named];
  }

  async function judgeContained(read: Reading, state: LedgerState, main: MainFacts): Promise<MainlineView> {
    const commits = await repository.firstParents(state.judged, read.head);
    const points: SpecPoint[] = [];
    for (const commit of commits) points.push(await readPoint(describeCommit(commit)));
    const named = await listNamed(read.head, state);
    const specs = await collectSpecs(new Set([read.head, ...commits.map((commit) => commit.sha), ...named]));
    return { main: { ...main, points }, ledger: state, specs };
  }

  async function judge(read: Reading, state: LedgerState | undefined): Promise<MainlineView> {
    const ageMs = clock.monotonic() - read.readAt;
    const main: MainFacts = { head: read.head, ageMs, contained: true, vanished: [], points: [] };
    const isContained = state === undefined || (await repository.contains(read.head, state.main));
    if (state !== undefined && isContained) return judgeContained(read, state, main);
    const vanished = state === undefined ? [] : await findVanished(read.head, state);
    const specs = await collectSpecs(new Set([read.head]));
    return { main: { ...main, contained: isContained, vanished }, ledger: state, specs };
  }

  return {
    async refresh(signal) {
      const before = adoptions;
      const heads = await repository.fetch(signal);
      const state = heads.ledger === undefined ? undefined : await ledger.load(heads.ledger);
      const read = { head: heads.main, readAt: clock.monotonic() };
      const seen = await judge(read, state);
      // A push of ours went on meanwhile: what was fetched before it would undo it in our eyes.
      if (adoptions !== before && latest !== undefined) return latest;
      // Both at once, after everything was read: an old view must never pass for a new one.
      latest = seen;
      reading = read;
      return seen;
    },
    view() {
      if (latest === undefined || reading === undefined) return undefined;
      return { ...latest, main: { ...latest.main, ageMs: clock.monotonic() - reading.readAt } };
    },
    async adopt(state) {
      if (reading === undefined) throw new Error("bug: a ledger commit was pushed before main was read");
      adoptions += 1;
      latest = await judge(reading, state);
      return latest;
    },
    async contains(commit) {
      if (reading === undefined) return false;
      if (reading.head === commit) return true;
      // Asked at every look: git, which may hang in a fetch, is asked once per head.
      const key = `${reading.head} ${commit}`;
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = await repository.contains(reading.head, commit);
      if (answers.size > 1000) answers.clear();
      answers.set(key, answer);
      return answer;
    },
  };
}
