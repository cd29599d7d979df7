import { lookUp } from "#libs/input";
import { type Commit, GitUnavailable, type RolloutsRepository } from "#libs/git";
import type { Ledger } from "#libs/ledger";
import {
  type CommitFacts,
  dropVanishedRuns,
  type LedgerDoubt,
  type LedgerState,
  listAhead,
  listWantedRuns,
  type MainFacts,
  type Spec,
  type SpecPoint,
} from "#libs/plan";
import type { Clock } from "#libs/runtime";

import { createCompiledCommits } from "./compiled-commits.ts";
import { createLedgerSelection, type Reader, type LedgerInUse } from "./ledger-selection.ts";
import { listNeededCommits, listRecordedCommits, listUsefulCommits } from "./list-commits.ts";

/** Main and ledger as one fetch found them (rules 1.7: main is never older than the ledger). */
export interface RepositorySnapshot {
  readonly main: MainFacts;
  readonly ledger: LedgerState | undefined;
  /** The branch's head is not used for this reason; `ledger` is the newest one read without a doubt. */
  readonly doubt?: LedgerDoubt;
  /** Parsed files by commit: of the head when it parses, the last judged commit, and commits that runs name. */
  readonly specs: ReadonlyMap<string, Spec>;
  /**
   * Only while main was rewritten: the files by which the ledger was judged before, as far as this process read them then.
   * Rollouts in flight are watched to their end by these, and nothing moves (rules 1.7, 4.6).
   */
  readonly last?: ReadonlyMap<string, Spec>;
}

/** Reads main and the ledger. Planner, executor and CLI learn only from this what was merged. */
export interface RepositorySnapshots {
  /** Fetches both heads at once. Throws what the repository throws; the last snapshot stays, and its age grows. */
  refresh(signal?: AbortSignal): Promise<RepositorySnapshot>;
  /**
   * Before the first fetch: reads the clone of an earlier process as a snapshot of infinite age, so that a reconcile has one
   * while git hangs. Does nothing where main was read already, or where the clone is new.
   */
  recall(): Promise<void>;
  /** The last snapshot with its present age; undefined before the first. */
  view(): RepositorySnapshot | undefined;
  /** After this process pushed a ledger commit: the same main with the pushed state. */
  adopt(state: LedgerState): Promise<RepositorySnapshot>;
  /**
   * Sets which old commits (named by open requests) and archived runs (ids) are read from now on, however old, in place of
   * those set before. Reads the clone only, without a fetch. A commit that main does not contain stays unknown; a record that
   * cannot be read is marked so.
   */
  want(commits: readonly string[], runs?: readonly string[]): Promise<void>;
  /** Whether a commit is in the first-parent history of the main last fetched. */
  contains(commit: string): Promise<boolean>;
  /** Whether a commit is in the history of the last snapshot's ledger. */
  hasRecorded(commit: string): Promise<boolean>;
}

interface Reading {
  readonly head: string;
  readonly readAt: number;
}

function describeCommit(commit: Commit): CommitFacts {
  return { sha: commit.sha, author: commit.author, at: commit.at, subject: commit.message.split("\n")[0] ?? "" };
}

/** The state with main's changes since it was judged; drops an older list of them. */
function addAhead(state: LedgerState, ahead: NonNullable<LedgerState["ahead"]>): LedgerState {
  if (state.ahead === undefined && ahead.length === 0) return state;
  const { ahead: _, ...branch } = state;
  return ahead.length === 0 ? branch : { ...branch, ahead };
}

/** Opens repository snapshots over one clone. */
export function createRepositorySnapshots(
  repository: RolloutsRepository,
  ledger: Ledger,
  clock: Clock,
  reader: Reader = {},
): RepositorySnapshots {
  const commits = createCompiledCommits(repository);
  const answers = new Map<string, Promise<boolean>>();
  const selection = createLedgerSelection(repository, ledger, reader);
  let adoptions = 0;
  let wanted: readonly string[] = [];
  let wantedRuns: readonly string[] = [];
  let reading: Reading | undefined;
  let latest: RepositorySnapshot | undefined;

  async function readPoint(commit: CommitFacts, baseline: string): Promise<SpecPoint> {
    const made = await commits.compile(commit.sha, baseline);
    return made.ok ? { commit, spec: made.spec } : { commit, findings: made.findings };
  }

  /** Commits named by the ledger or a request that main does not contain. */
  async function findVanished(head: string, state: LedgerState): Promise<readonly string[]> {
    return repository.listOutside(head, [...new Set([...listRecordedCommits(state), ...wanted])]);
  }

  /** Commits of main whose files are read: needed, useful and wanted ones. Nothing is rolled back to a commit outside main. */
  async function listNamed(state: LedgerState, vanished: ReadonlySet<string>): Promise<readonly string[]> {
    const { commit } = state.baseline;
    const isOnMain = (sha: string): boolean => !vanished.has(sha);
    const needed = new Set(listNeededCommits(state).filter(isOnMain));
    const useful = listUsefulCommits(state);
    const asked = [...new Set([...useful, ...wanted])].filter((sha) => !needed.has(sha) && isOnMain(sha));
    // Nothing is rolled back to a commit older than the baseline, no matter who requests it.
    const young = new Set(isOnMain(commit) ? [commit, ...(await repository.listOutside(commit, asked))] : []);
    return [...needed, ...asked.filter((sha) => young.has(sha))];
  }

  async function judgeContained(read: Reading, recorded: LedgerState, main: MainFacts): Promise<RepositorySnapshot> {
    const vanished = new Set(await findVanished(read.head, recorded));
    const state = dropVanishedRuns(recorded, vanished);
    const newer = vanished.has(state.judged) ? [] : await repository.firstParents(state.judged, read.head);
    const points: SpecPoint[] = [];
    for (const commit of newer) points.push(await readPoint(describeCommit(commit), state.baseline.commit));
    const named = await listNamed(state, vanished);
    const shas = new Set([read.head, ...newer.map((commit) => commit.sha), ...named]);
    const { specs, unreadable } = await commits.collect(shas, state.baseline.commit);
    const ledger = addAhead(state, listAhead(state, specs.get(state.judged), points));
    return { main: { ...main, vanished: [...vanished], points, unreadable }, ledger, specs };
  }

  /** Main was rewritten, or no ledger is recorded: only main's head is read, since older commits may be gone. */
  async function judgeHead(
    read: Reading,
    state: LedgerState | undefined,
    main: MainFacts,
  ): Promise<RepositorySnapshot> {
    const kept = new Set(state === undefined ? [] : listNeededCommits(state));
    const { specs, unreadable } = await commits.collect(new Set([read.head]), undefined, kept);
    if (state === undefined) return { main: { ...main, unreadable }, ledger: state, specs };
    const vanished = await findVanished(read.head, state);
    const last = new Map<string, Spec>();
    for (const sha of kept) {
      const made = commits.find(sha);
      if (made?.ok === true) last.set(sha, made.spec);
    }
    return { main: { ...main, contained: false, vanished, unreadable }, ledger: state, specs, last };
  }

  async function judge(read: Reading, state: LedgerState | undefined): Promise<RepositorySnapshot> {
    const ageMs = clock.monotonic() - read.readAt;
    const main: MainFacts = { head: read.head, ageMs, contained: true, vanished: [], points: [] };
    const isRewritten = state !== undefined && !(await repository.contains(read.head, state.main));
    return state === undefined || isRewritten ? judgeHead(read, state, main) : judgeContained(read, state, main);
  }

  async function judgeInUse(read: Reading, { state, doubt }: LedgerInUse): Promise<RepositorySnapshot> {
    const seen = await judge(read, state === undefined ? undefined : await recall(state));
    return doubt === undefined ? seen : { ...seen, doubt };
  }

  /** A ledger that cannot be judged is not used, as if it could not be read. */
  async function judgeHeads(read: Reading, found: string | undefined): Promise<RepositorySnapshot> {
    const inUse = await selection.judge(found);
    try {
      return await judgeInUse(read, inUse);
    } catch (error) {
      if (found === undefined || inUse.doubt !== undefined) throw error;
      return judgeInUse(read, await selection.refuse(found, error));
    }
  }

  /** Git answered, but what it sent cannot be read: the previous snapshot gets a doubt and is not used for decisions. */
  function doubtMain(commit: string, error: unknown): void {
    if (latest === undefined || error instanceof GitUnavailable) return;
    const why = error instanceof Error ? error.message : String(error);
    latest = { ...latest, doubt: { kind: "mainUnread", commit, why } };
  }

  /** Called at every reconcile, so git, which may hang in a fetch, is asked once per head and commit. */
  async function isContained(head: string, commit: string): Promise<boolean> {
    if (head === commit) return true;
    const key = `${head} ${commit}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    if (answers.size > 1000) answers.clear();
    const answer = repository.contains(head, commit);
    answers.set(key, answer);
    // A failed answer is not remembered; calls during a request share it.
    answer.catch(() => answers.delete(key));
    return answer;
  }

  /** Reads whole archived records where an open request or a rollback in force needs them. */
  async function recall(state: LedgerState): Promise<LedgerState> {
    const runs = new Set([...wantedRuns, ...listWantedRuns([], state)]);
    const unread = [...runs].filter((id) => lookUp(state.runs, id)?.archived === "facts");
    return unread.length === 0 ? state : ledger.recall(state, unread);
  }

  /** Files of wanted commits that are not in the snapshot. */
  async function readWanted(
    shas: readonly string[],
    { main, specs, ledger }: RepositorySnapshot,
  ): Promise<Map<string, Spec>> {
    const found = new Map<string, Spec>();
    for (const sha of shas) {
      if (specs.has(sha) || main.unreadable?.has(sha) === true || !(await isContained(main.head, sha))) continue;
      // Nothing is rolled back to a commit older than the baseline, no matter who requests it.
      if (ledger !== undefined && !(await isContained(sha, ledger.baseline.commit))) continue;
      const made = await commits.compile(sha, ledger?.baseline.commit);
      if (made.ok) found.set(sha, made.spec);
    }
    return found;
  }

  async function readWantedRuns(): Promise<void> {
    const before = latest;
    if (before?.ledger === undefined) return;
    const whole = await recall(before.ledger);
    if (whole === before.ledger) return;
    // A refresh or a push meanwhile read its own records.
    if (latest !== before) return;
    const { contained, vanished } = before.main;
    latest = { ...before, ledger: contained ? dropVanishedRuns(whole, new Set(vanished)) : whole };
  }

  return {
    async want(shas, runs = []) {
      wanted = shas;
      wantedRuns = runs;
      await readWantedRuns();
      if (latest?.main.contained !== true || shas.length === 0) return;
      const found = await readWanted(shas, latest);
      if (found.size > 0) latest = { ...latest, specs: new Map([...latest.specs, ...found]) };
    },
    async recall() {
      const heads = latest === undefined ? await repository.recall() : undefined;
      if (heads === undefined) return;
      const read = { head: heads.main, readAt: Number.NEGATIVE_INFINITY };
      const seen = await judgeHeads(read, heads.ledger);
      if (latest !== undefined) return;
      latest = seen;
      reading = read;
    },
    async refresh(signal) {
      const before = adoptions;
      const heads = await repository.fetch(signal);
      const read = { head: heads.main, readAt: clock.monotonic() };
      const seen = await judgeHeads(read, heads.ledger).catch((error: unknown) => {
        doubtMain(heads.main, error);
        throw error;
      });
      // This process pushed meanwhile: the fetched ledger is older than what it pushed.
      if (adoptions !== before && latest !== undefined) return latest;
      // Both are set at once, after everything was read, so that an old snapshot never gets a new time.
      latest = seen;
      reading = read;
      if (seen.doubt === undefined && seen.ledger !== undefined) await selection.accept(seen.ledger);
      return seen;
    },
    view() {
      if (latest === undefined || reading === undefined) return undefined;
      const doubt = latest.doubt ?? reader.findDoubt?.();
      const main = { ...latest.main, ageMs: clock.monotonic() - reading.readAt };
      return { ...latest, main, ...(doubt === undefined ? {} : { doubt }) };
    },
    async adopt(state) {
      if (reading === undefined) throw new Error("bug: a ledger commit was pushed before main was read");
      adoptions += 1;
      for (;;) {
        const read: Reading = reading;
        const seen = await judge(read, state);
        // A fetch that began after the push and ended before this may know a newer ledger.
        if (latest?.ledger !== undefined && latest.ledger.sequence > state.sequence) return latest;
        if (read !== reading) continue;
        latest = seen;
        // Where the disk is full now, the next fetch writes the note. The push counts all the same.
        await selection.accept(state).catch(() => undefined);
        return seen;
      }
    },
    async contains(commit) {
      return reading !== undefined && isContained(reading.head, commit);
    },
    async hasRecorded(commit) {
      const head = latest?.ledger?.head;
      return head !== undefined && isContained(head, commit);
    },
  };
}
