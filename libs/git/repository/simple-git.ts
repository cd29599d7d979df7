import { resolve } from "node:path";

import { parseAddress } from "../address.ts";
import { createBoundedCache } from "../bounded-cache.ts";
import { classify, isDamage, isNotHandedOut } from "../clone/classify.ts";
import { CloneFull, measureClone, openClone, renewClone } from "../clone/clone-folder.ts";
import { createEnvironments, type Credentials } from "../process/environment.ts";
import { GitRefused } from "../errors.ts";
import { fetchHeads, type FollowedClone, recallHeads, rememberPush } from "../clone/fetch-heads.ts";
import { liesInFirstParents, listFirstParents, listLine, listMissing, listOutside } from "../clone/history.ts";
import { createLanes } from "../process/lanes.ts";
import { createMergeTrials } from "../merge/merge-trial.ts";
import { requireCommitId, requireRepositoryPath, toBranchRef } from "../names.ts";
import { type ProcessLimits, strangersLimits } from "../process/process-limits.ts";
import type { CommitDraft, Heads, PushOutcome, RolloutsRepository } from "../port.ts";
import { writeNote, readNote } from "../clone/clone-notes.ts";
import { pushCommit } from "../push/push-commit.ts";
import { readChanges } from "../read/read-changes.ts";
import { repackClone, repackLimits } from "../clone/repack.ts";
import { resolveRef } from "../clone/resolve-ref.ts";
import { createCatFile, createRunGit } from "../process/run-git.ts";
import { createTreeReader } from "../read/tree-reader.ts";
import { requireGitVersion } from "../process/version.ts";
import { createCommitWriter } from "../push/write-commit.ts";

/** Where the rollouts repository is, and where this process keeps its own clone of it. */
export interface RepositoryOptions {
  /** file, http, https or ssh; never with a password in it. */
  readonly url: string;
  /** A folder that only this process uses; created when missing, replaced when damaged. */
  readonly folder: string;
  /** The protected branch; default `main`. */
  readonly branch?: string;
  /** Default `meshroll/ledger`. */
  readonly ledgerBranch?: string;
  readonly credentials?: Credentials;
  /** Limit of one git process; default 60,000 ms. */
  readonly timeoutMs?: number;
  /** Limits of git on strangers' commits, where they differ from the default. */
  readonly limits?: Partial<ProcessLimits>;
  /** Epoch ms for the commits that this process makes; default the machine's time. */
  readonly now?: () => number;
}

/** Opens the clone of the rollouts repository. Sends nothing, so a service starts while git is down. */
export async function openRepository(options: RepositoryOptions): Promise<RolloutsRepository> {
  const address = parseAddress(options.url);
  const folder = resolve(options.folder);
  const mainRef = toBranchRef(options.branch ?? "main");
  const ledgerRef = toBranchRef(options.ledgerBranch ?? "meshroll/ledger");
  const now = options.now ?? Date.now;
  const environments = createEnvironments(folder, address, options.credentials, process.env);
  const git = createRunGit(folder, environments, options.timeoutMs ?? 60_000);
  const clone: FollowedClone = { git, address, mainRef, ledgerRef };
  const lanes = createLanes();
  const limits: ProcessLimits = { ...strangersLimits, ...options.limits };
  const catFile = createCatFile(folder, environments, options.timeoutMs ?? 60_000);
  const tree = createTreeReader(git, catFile, limits);
  const trials = createMergeTrials(git, limits);
  const writer = createCommitWriter(git);
  const contained = createBoundedCache<boolean>(10_000);
  const present = createBoundedCache<true>(10_000);
  let baseBytes: number | undefined;
  const check = `git ls-remote ${address.url}`;

  /** How often a push began or ended. */
  let pushes = 0;
  /** How often the clone was replaced. */
  let renewals = 0;

  async function fetchNow(signal?: AbortSignal): Promise<Heads> {
    const before = pushes;
    return fetchHeads(clone, () => pushes !== before, signal);
  }

  /** A damaged clone is deleted only when the server answers: until then it may still serve reads. */
  async function requireServer(): Promise<void> {
    await git(["ls-remote", "--", address.url, mainRef]).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
    });
  }

  async function rebuild(): Promise<void> {
    await requireServer();
    await renewClone(folder, address.url, git);
    tree.forget();
    trials.forget();
    present.clear();
    baseBytes = undefined;
    renewals += 1;
    await fetchNow();
  }

  /** Replaces a damaged clone once, however many calls found it damaged, and repeats the work. */
  async function run<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      const before = renewals;
      return await lanes.use(work).catch(async (error: unknown) => {
        if (!isDamage(error)) throw error;
        await lanes.alone(async () => (renewals === before ? rebuild() : undefined));
        return lanes.use(work);
      });
    } catch (error) {
      throw classify(error, `${doing} (${address.url})`, check);
    }
  }

  async function fetchObjects(what: string): Promise<void> {
    const flags = ["--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--verbose"];
    await lanes.fetching(async () => git(["fetch", ...flags, "--", address.url, what], { limits }));
  }

  /** Fetches missing commits by id: those that no branch reaches any more, or of branches that are not followed. */
  async function ensure(...commits: readonly string[]): Promise<void> {
    const unknown = commits.map(requireCommitId).filter((sha) => present.get(sha) === undefined);
    if (unknown.length === 0) return;
    for (const sha of await listMissing(git, unknown)) await fetchObjects(sha);
    for (const sha of unknown) present.set(sha, true);
  }

  /** Strangers' commits stay in the clone: when they take too much of the disk, it is replaced. */
  async function requireRoom(): Promise<void> {
    const bytes = await measureClone(git);
    baseBytes ??= bytes;
    if (bytes - baseBytes > limits.folderBytes) throw new CloneFull();
  }

  /** Not every server hands out commits by id; GitHub also has a ref for each pull request. */
  async function ensurePull(number: number, head: string): Promise<void> {
    if (present.get(head) === undefined) await requireRoom();
    try {
      await ensure(head);
    } catch (error) {
      if (!isNotHandedOut(error)) throw error;
      await fetchObjects(`refs/pull/${number}/head`);
      if ((await listMissing(git, [head])).length > 0) throw error;
      present.set(head, true);
    }
  }

  async function mergedTree(main: string, head: string): Promise<string> {
    await ensure(main, head);
    const tried = await trials.try(main, head, []);
    if (tried.tree !== undefined) return tried.tree;
    const [short, files] = [head.slice(0, 12), tried.trial.paths.join(", ")];
    throw new GitRefused(`${short} cannot be merged: ${files} is in conflict`, "merge main into the branch");
  }

  async function isContained(descendant: string, ancestor: string): Promise<boolean> {
    const key = `${requireCommitId(descendant)} ${requireCommitId(ancestor)}`;
    const known = contained.get(key);
    if (known !== undefined) return known;
    await ensure(descendant);
    // The clone has the whole history of each of its commits, so a missing commit is not in it.
    const missing = (await listMissing(git, [ancestor])).length > 0;
    const answer = !missing && (await liesInFirstParents(git, descendant, ancestor));
    contained.set(key, answer);
    return answer;
  }

  async function ensureParents({ onto, startAt, merging }: CommitDraft): Promise<void> {
    await ensure(...[onto ?? startAt, merging].filter((sha) => sha !== undefined));
  }

  async function makeCommit(draft: CommitDraft): Promise<string> {
    toBranchRef(draft.branch);
    await ensureParents(draft);
    return lanes.pushing(async () => writer.write(draft, now()));
  }

  async function commitAndPush(draft: CommitDraft): Promise<PushOutcome> {
    const ref = toBranchRef(draft.branch);
    await ensureParents(draft);
    return lanes.pushing(async () => {
      const sha = await writer.write(draft, now());
      pushes += 1;
      const outcome = await pushCommit(git, address.url, { sha, ref, expected: draft.onto ?? draft.replaces });
      pushes += 1;
      if (outcome.kind === "pushed") await rememberPush(clone, ref, sha);
      return outcome;
    });
  }

  try {
    await requireGitVersion(git);
    await openClone(folder, address.url, git);
  } catch (error) {
    throw classify(error, `opening the clone in ${folder}`, `ls -l ${folder}`);
  }

  return {
    fetch: async (signal) => run("fetching", async () => lanes.fetching(async () => fetchNow(signal))),
    recall: async () => run("reading the clone", async () => recallHeads(clone)),
    firstParents: async (from, to) =>
      run("reading history", async () => {
        await ensure(to, ...(from === undefined ? [] : [from]));
        return listFirstParents(git, from, to);
      }),
    listLine: async (from, to) =>
      run("reading history", async () => {
        await ensure(from, to);
        return listLine(git, from, to);
      }),
    readChanges: async (from, to, paths, each) =>
      run("reading history", async () => {
        for (const path of paths) requireRepositoryPath(path);
        await ensure(to, ...(from === undefined ? [] : [from]));
        await readChanges(git, catFile, { from, to, paths }, each);
      }),
    contains: async (descendant, ancestor) => run("reading history", async () => isContained(descendant, ancestor)),
    listOutside: async (descendant, commits) =>
      run("reading history", async () => {
        const asked = commits.map(requireCommitId);
        await ensure(descendant);
        return listOutside(git, descendant, asked);
      }),
    resolve: async (ref) =>
      run(`looking up ${ref}`, async () => resolveRef(git, address.url, ref, async (sha) => ensure(sha))),
    read: async (commit, path) =>
      run(`reading ${JSON.stringify(path)}`, async () => {
        requireRepositoryPath(path);
        await ensure(commit);
        return tree.read(commit, path);
      }),
    list: async (commit, below) =>
      run(`listing ${JSON.stringify(below)}`, async () => {
        if (below !== "") requireRepositoryPath(below);
        await ensure(commit);
        return tree.list(commit, below);
      }),
    readTree: async (commit, paths, known = () => false) =>
      run("reading a tree", async () => {
        for (const path of paths) requireRepositoryPath(path);
        await ensure(commit);
        return tree.readAll(commit, paths, known);
      }),
    tryMerge: async (main, head, inside = []) =>
      run(`merging ${head.slice(0, 12)} on trial`, async () => {
        for (const folder of inside) requireRepositoryPath(folder);
        await ensure(main, head);
        return (await trials.try(main, head, inside)).trial;
      }),
    readMerged: async (main, head, path) =>
      run(`reading ${JSON.stringify(path)}`, async () => {
        requireRepositoryPath(path);
        return trials.read(await mergedTree(main, head), path);
      }),
    listMerged: async (main, head, folder) =>
      run(`listing ${JSON.stringify(folder)}`, async () => {
        requireRepositoryPath(folder);
        return trials.list(await mergedTree(main, head), folder);
      }),
    fetchPullRequest: async (number, head) =>
      run(`fetching pull request ${number}`, async () => ensurePull(number, head)),
    readNote: async (name) => run("reading a note", async () => readNote(folder, name)),
    writeNote: async (name, text) => run("keeping a note", async () => writeNote(folder, name, text)),
    repack: async () => run("packing the clone", async () => repackClone(git, repackLimits)),
    makeCommit: async (draft) => run("making a commit", async () => makeCommit(draft)),
    signsCommits: async () => run("reading git's configuration", writer.isSigning),
    commitAndPush: async (draft) => run(`pushing to ${draft.branch}`, async () => commitAndPush(draft)),
  };
}
