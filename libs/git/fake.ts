import { createHash } from "node:crypto";

import { GitRefused, GitUnavailable } from "./errors.ts";
import {
  applyChanges,
  type FakeCommit,
  type FakeRemote,
  listReachable,
  mergeCommits,
  type Tree,
} from "./fake/fake-remote.ts";
import { createFakeClone, type FakeClone } from "./fake/fake-clone.ts";
import { findChanges, listDirectly } from "./fake/fake-tree.ts";
import { parseRef } from "./clone/resolve-ref.ts";
import { isCommitId, isRepositoryPath, requireCommitId, requireRepositoryPath, toBranchRef } from "./names.ts";
import type { Commit, CommitDraft, Heads, MergeTrial, PushOutcome, RolloutsRepository, TreeFile } from "./port.ts";

export { createFakeClone, type FakeClone } from "./fake/fake-clone.ts";
export {
  createFakeRemote,
  type FakeRemote,
  type FileChange,
  type MergeResult,
  type RemoteChange,
  type RemoteMerge,
} from "./fake/fake-remote.ts";

/** Settings of one fake clone. */
export interface FakeRepositoryOptions {
  readonly branch?: string;
  readonly ledgerBranch?: string;
  /** Who pushes from this clone; default `meshroll`. */
  readonly login?: string;
  /** Epoch ms for the commits of this clone; default: the parent's time and one second. */
  readonly now?: () => number;
  /** The clone of an earlier process; default a new one. */
  readonly clone?: FakeClone;
  /** Resolves when a call to a silent server times out; default: never. */
  readonly untilGivenUp?: (signal: AbortSignal | undefined) => Promise<void>;
}

function describeCommit({ sha, parents, author, at, message }: FakeCommit): Commit {
  return { sha, parents, author, at, message };
}

/** The base of a commit without a parent. */
const orphan: Pick<FakeCommit, "tree" | "at"> = { tree: new Map(), at: 0 };

/** A clone in memory: like the real one it knows what it fetched, and asks the remote for commits that it lacks. */
export function openFakeRepository(remote: FakeRemote, options: FakeRepositoryOptions = {}): RolloutsRepository {
  const main = options.branch ?? "main";
  const ledger = options.ledgerBranch ?? "meshroll/ledger";
  const clone = options.clone ?? createFakeClone();
  const { fetched } = clone;

  function take(head: string): void {
    for (const sha of listReachable((id) => (fetched.has(id) ? undefined : remote.commit(id)), head)) {
      const commit = remote.commit(sha);
      if (commit !== undefined) fetched.set(sha, commit);
    }
  }

  /** Every call to the server begins with this. */
  async function reachServer(signal?: AbortSignal): Promise<void> {
    const never = new Promise<void>(() => undefined);
    const isGivenUp = await Promise.race([
      remote.untilAnswering().then(() => false),
      (options.untilGivenUp?.(signal) ?? never).then(() => true),
    ]);
    signal?.throwIfAborted();
    if (isGivenUp) throw new GitUnavailable("the fake remote said nothing for too long");
    remote.requireAvailable();
  }

  /** Fetches commits that the clone lacks by their ids. */
  async function ensure(...commits: readonly (string | undefined)[]): Promise<void> {
    for (const sha of commits) {
      if (sha === undefined || fetched.has(requireCommitId(sha))) continue;
      await reachServer();
      take(sha);
      if (!fetched.has(sha))
        throw new GitRefused(`the remote has no commit ${sha}`, "fetch it from a clone that has it");
    }
  }

  /** Call `ensure` first. */
  function find(sha: string): FakeCommit {
    const known = fetched.get(sha);
    if (known === undefined) throw new Error(`bug: ${sha} was not asked for`);
    return known;
  }

  function listLine(to: string): readonly FakeCommit[] {
    const line: FakeCommit[] = [];
    for (let commit: FakeCommit | undefined = find(to); commit !== undefined;) {
      line.push(commit);
      const parent: string | undefined = commit.parents[0];
      commit = parent === undefined ? undefined : fetched.get(parent);
    }
    return line;
  }

  async function fetchHeads(signal: AbortSignal | undefined): Promise<Heads> {
    await reachServer(signal);
    const head = remote.head(main);
    if (head === undefined) throw new GitRefused(`the remote has no branch ${main}`, "put the branch back");
    take(head);
    const recorded = remote.head(ledger);
    if (recorded !== undefined) take(recorded);
    clone.heads = recorded === undefined ? { main: head } : { main: head, ledger: recorded };
    return clone.heads;
  }

  /** For the next process, which may start while no server answers. */
  function rememberPush(branch: string, sha: string): void {
    if (branch === ledger && clone.heads?.ledger !== undefined) clone.heads = { ...clone.heads, ledger: sha };
  }

  async function makeCommit(draft: CommitDraft): Promise<string> {
    toBranchRef(draft.branch);
    for (const path of Object.keys(draft.files)) requireRepositoryPath(path);
    const merging = draft.onto === undefined ? undefined : draft.merging;
    const parents = [draft.onto ?? draft.startAt, merging].filter((sha) => sha !== undefined);
    await ensure(...parents);
    const [parent = orphan] = parents.map(find);
    const made = {
      parents,
      // Its files are the last parent's: the merged one's, where there is one.
      tree: applyChanges((parents.map(find).at(-1) ?? orphan).tree, draft.files),
      message: draft.message,
      author: draft.author.name,
      at: Math.floor((draft.at ?? options.now?.() ?? parent.at + 1000) / 1000) * 1000,
    };
    const sha = remote.add(made);
    take(sha);
    return sha;
  }

  async function commitAndPush(draft: CommitDraft): Promise<PushOutcome> {
    const sha = await makeCommit(draft);
    await reachServer();
    const outcome = remote.push(draft.branch, sha, draft.onto ?? draft.replaces, options.login ?? "meshroll");
    if (outcome.kind === "pushed") rememberPush(draft.branch, sha);
    return outcome;
  }

  function list(commit: string, folder: string): readonly string[] {
    if (folder !== "") requireRepositoryPath(folder);
    return listDirectly(find(commit).tree, folder);
  }

  function readTree(commit: string, paths: readonly string[], known: (file: TreeFile) => boolean): readonly TreeFile[] {
    for (const path of paths) requireRepositoryPath(path);
    const files: TreeFile[] = [];
    for (const [path, content] of find(commit).tree) {
      const isWanted = paths.some((each) => path === each || path.startsWith(`${each}/`));
      if (!isWanted || typeof content !== "string" || !isRepositoryPath(path)) continue;
      const id = createHash("sha1").update(content).digest("hex");
      files.push(known({ path, id }) ? { path, id } : { path, id, text: content });
    }
    return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  async function merge(onto: string, head: string): Promise<Tree | string> {
    // Both histories are needed, for the common ancestor.
    await ensure(onto, head);
    return mergeCommits((sha) => fetched.get(sha), onto, head);
  }

  async function tryMerge(onto: string, head: string, inside: readonly string[] = []): Promise<MergeTrial> {
    const merged = await merge(onto, head);
    if (typeof merged === "string") return { kind: "conflict", paths: [merged] };
    const before = find(onto).tree;
    const paths = new Set([...before.keys(), ...merged.keys()]);
    const changed = [...paths].filter((path) => JSON.stringify(before.get(path)) !== JSON.stringify(merged.get(path)));
    const shown = changed.map((path) => {
      const [top = "", next] = path.split("/");
      return next === undefined || !inside.includes(top) ? top : `${top}/${next}`;
    });
    return { kind: "clean", changed: [...new Set(shown)].toSorted() };
  }

  async function listMerged(onto: string, head: string, folder: string): Promise<readonly string[]> {
    requireRepositoryPath(folder);
    const merged = await merge(onto, head);
    if (typeof merged === "string") throw new GitRefused(`${merged} is in conflict`, "merge main into the branch");
    return listDirectly(merged, folder);
  }

  async function readMerged(onto: string, head: string, path: string): Promise<string | undefined> {
    requireRepositoryPath(path);
    const merged = await merge(onto, head);
    if (typeof merged === "string") throw new GitRefused(`${merged} is in conflict`, "merge main into the branch");
    const content = merged.get(path);
    return typeof content === "string" ? content : undefined;
  }

  return {
    tryMerge,
    listMerged,
    readMerged,
    fetchPullRequest: async (_number, head) => ensure(head),
    fetch: async (signal) => {
      signal?.throwIfAborted();
      return fetchHeads(signal);
    },
    recall: async () => clone.heads,
    firstParents: async (from, to) => {
      await ensure(from, to);
      const line = listLine(to);
      const old = from === undefined ? new Set<string>() : listReachable((sha) => fetched.get(sha), from);
      return line
        .filter((commit) => !old.has(commit.sha))
        .map(describeCommit)
        .toReversed();
    },
    listLine: async (from, to) => {
      await ensure(from, to);
      const old = listReachable((sha) => fetched.get(sha), from);
      const shas = listLine(to).map(({ sha }) => sha);
      return shas.filter((sha) => !old.has(sha)).toReversed();
    },
    readChanges: async (from, to, paths, each) => {
      for (const path of paths) requireRepositoryPath(path);
      await ensure(from, to);
      const old = from === undefined ? new Set<string>() : listReachable((sha) => fetched.get(sha), from);
      for (const commit of listLine(to).toReversed()) {
        const change = old.has(commit.sha)
          ? undefined
          : findChanges(commit, fetched.get(commit.parents[0] ?? "")?.tree ?? orphan.tree, paths);
        if (change !== undefined) each(change);
      }
    },
    contains: async (descendant, ancestor) => {
      requireCommitId(ancestor);
      await ensure(descendant);
      return listLine(descendant).some((commit) => commit.sha === ancestor);
    },
    listOutside: async (descendant, commits) => {
      const asked = commits.map(requireCommitId);
      const line = new Set(listLine(descendant).map(({ sha }) => sha));
      return asked.filter((sha) => !line.has(sha));
    },
    resolve: async (ref) => {
      await reachServer();
      const { base, back } = parseRef(ref);
      const sha = isCommitId(base) ? base : remote.head(toBranchRef(base).slice("refs/heads/".length));
      await ensure(sha);
      return sha === undefined ? undefined : listLine(sha)[back]?.sha;
    },
    read: async (commit, path) => {
      requireRepositoryPath(path);
      await ensure(commit);
      const content = find(commit).tree.get(path);
      return typeof content === "string" ? content : undefined;
    },
    list: async (commit, folder) => {
      await ensure(commit);
      return list(commit, folder);
    },
    readTree: async (commit, paths, known = () => false) => {
      await ensure(commit);
      return readTree(commit, paths, known);
    },
    makeCommit,
    signsCommits: async () => false,
    commitAndPush,
    readNote: async (name) => clone.notes.get(name),
    writeNote: async (name, text) => void clone.notes.set(name, text),
    repack: async () => ({ kind: "small", loose: 0, packs: 0 }),
  };
}
