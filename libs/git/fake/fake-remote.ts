import { createHash } from "node:crypto";

import { GitRefused, GitUnavailable } from "../errors.ts";
import { mergeTexts } from "./fake-merge.ts";
import type { Commit, PushOutcome } from "../port.ts";

/** New content of a path: a text, null (delete), or something that is not a regular file. */
export type FileChange = string | null | { readonly symlink: string } | { readonly submodule: string };

/** What other clients do to the repository. */
export interface RemoteChange {
  readonly files: Readonly<Record<string, FileChange>>;
  readonly message?: string;
  /** A name. */
  readonly author?: string;
  /** A name; default the author's. */
  readonly committer?: string;
  /** The login that pushes it; default the committer's name. */
  readonly pusher?: string;
  /** Epoch ms; git keeps whole seconds. */
  readonly at?: number;
}

/** A change of a branch's head, and who pushed it. */
export interface RemotePush {
  readonly branch: string;
  readonly before?: string;
  readonly after?: string;
  readonly by: string;
  /** Epoch ms. */
  readonly at: number;
}

export interface RemoteMerge {
  readonly branch: string;
  readonly method?: "merge" | "squash";
  readonly message?: string;
  readonly author?: string;
  readonly at?: number;
}

export type MergeResult =
  | { readonly kind: "merged"; readonly sha: string }
  | { readonly kind: "conflict"; readonly why: string };

type Content = Exclude<FileChange, null>;
export type Tree = ReadonlyMap<string, Content>;

/** A commit with its whole tree. */
export interface FakeCommit extends Commit {
  readonly tree: Tree;
  /** A name; default the author's. */
  readonly committer?: string;
}

/** The remote repository in memory, shared by any number of fake clones. */
export interface FakeRemote {
  /** Every change of every branch, oldest first, by the server's clock. */
  readonly recorded: readonly RemotePush[];
  commitTo(branch: string, change: RemoteChange): string;
  commitToMain(change: RemoteChange): string;
  mergeToMain(merge: RemoteMerge): MergeResult;
  /** Makes the commit of merging a commit on top of another, and moves no branch. */
  mergeOnto(onto: string, head: string, merge: Omit<RemoteMerge, "branch">): MergeResult;
  /** A forced push of the protected branch. */
  forceMain(sha: string): void;
  force(branch: string, sha: string, by?: string): void;
  removeBranch(branch: string): void;
  head(branch: string): string | undefined;
  branches(): ReadonlyMap<string, string>;
  /** Whether the merge to main has a conflict. */
  conflicts(branch: string): boolean;
  /** While true every fetch and push throws `GitUnavailable`. */
  setUnavailable(down: boolean): void;
  /** The server accepts connections but does not answer, until the returned function is called; calls that wait then go on. */
  hang(): () => void;
  /** For fake clones: resolves when the server answers again. */
  untilAnswering(): Promise<void>;
  /** For fake clones: the objects, and the push with its compare-and-swap. */
  commit(sha: string): FakeCommit | undefined;
  add(commit: Omit<FakeCommit, "sha">): string;
  push(branch: string, sha: string, expected: string | undefined, by: string): PushOutcome;
  requireAvailable(): void;
}

const firstSecond = 1_700_000_000;

function toSha(commit: Omit<FakeCommit, "sha">): string {
  const tree = [...commit.tree].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha1")
    .update(JSON.stringify({ ...commit, tree }))
    .digest("hex");
}

/** Applies changes to a tree; a file and a folder of one name replace each other, as in git. */
export function applyChanges(tree: Tree, files: RemoteChange["files"]): Tree {
  const next = new Map(tree);
  for (const [path, content] of Object.entries(files)) {
    for (const other of next.keys())
      if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) next.delete(other);
    if (content === null) next.delete(path);
    else next.set(path, content);
  }
  return next;
}

/** Every reachable commit, including `from`. */
export function listReachable(find: (sha: string) => FakeCommit | undefined, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (seen.has(sha)) continue;
    seen.add(sha);
    open.push(...(find(sha)?.parents ?? []));
  }
  return seen;
}

function isSame(a: Content | undefined, b: Content | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What a path becomes when both sides changed it; undefined is a conflict. */
function mergeContents(base: Content | undefined, ours: Content | undefined, theirs: Content): Content | undefined {
  if (typeof ours !== "string" || typeof theirs !== "string" || typeof base !== "string") return undefined;
  return mergeTexts(base, ours, theirs);
}

/** Three-way, by lines where both sides changed a file. Returns the path in conflict, or the tree. */
function mergeTrees(base: Tree, ours: Tree, theirs: Tree): Tree | string {
  const merged = new Map(ours);
  for (const path of new Set([...base.keys(), ...theirs.keys()])) {
    const wanted = theirs.get(path);
    if (isSame(base.get(path), wanted) || isSame(ours.get(path), wanted)) continue;
    const isOurs = !isSame(base.get(path), ours.get(path));
    if (wanted === undefined) {
      if (isOurs) return path;
      merged.delete(path);
      continue;
    }
    const content = isOurs ? mergeContents(base.get(path), ours.get(path), wanted) : wanted;
    if (content === undefined) return path;
    merged.set(path, content);
  }
  return merged;
}

/** Merges two commits with their newest common ancestor as base. Returns the path in conflict, or the tree. */
export function mergeCommits(
  find: (sha: string) => FakeCommit | undefined,
  ours: string,
  theirs: string,
): Tree | string {
  const reached = listReachable(find, ours);
  const reachable = listReachable(find, theirs);
  const shared = reachable.has(ours) ? ours : [...reachable].find((sha) => reached.has(sha));
  const none: Tree = new Map();
  const treeOf = (sha: string | undefined): Tree => (sha === undefined ? none : (find(sha)?.tree ?? none));
  return mergeTrees(treeOf(shared), treeOf(ours), treeOf(theirs));
}

export interface FakeRemoteOptions {
  readonly branch?: string;
  /** The server's clock, epoch ms; default: the time of the pushed commit. */
  readonly now?: () => number;
}

/** An empty repository; without `at`, commits are one second apart. */
export function createFakeRemote(options: FakeRemoteOptions = {}): FakeRemote {
  const main = options.branch ?? "main";
  const commits = new Map<string, FakeCommit>();
  const heads = new Map<string, string>();
  const pushes: RemotePush[] = [];
  let down = false;

  function move(branch: string, after: string | undefined, by: string, at?: number): void {
    const before = heads.get(branch);
    const known = after === undefined ? undefined : commits.get(after)?.at;
    pushes.push({
      branch,
      by,
      at: options.now?.() ?? at ?? known ?? (firstSecond + commits.size) * 1000,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
    if (after === undefined) heads.delete(branch);
    else heads.set(branch, after);
  }
  let silence: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  function hang(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const mine = { over: promise, end: resolve };
    silence = mine;
    return () => {
      if (silence === mine) silence = undefined;
      mine.end();
    };
  }

  function find(sha: string): FakeCommit {
    const commit = commits.get(sha);
    if (commit === undefined) throw new Error(`the fake remote has no commit ${sha}`);
    return commit;
  }

  function requireHead(branch: string): string {
    const sha = heads.get(branch);
    if (sha === undefined) throw new Error(`the fake remote has no branch ${branch}`);
    return sha;
  }

  function add(commit: Omit<FakeCommit, "sha">): string {
    const rounded = { ...commit, at: Math.floor(commit.at / 1000) * 1000, message: commit.message.trimEnd() };
    const sha = toSha(rounded);
    commits.set(sha, { sha, ...rounded });
    return sha;
  }

  function describe(
    change: Omit<RemoteChange, "files">,
    message: string,
  ): { message: string; author: string; committer?: string; at: number } {
    const at = change.at ?? (firstSecond + commits.size) * 1000;
    const committer = change.committer === undefined ? {} : { committer: change.committer };
    return { message: change.message ?? message, author: change.author ?? "another", ...committer, at };
  }

  function commitTo(branch: string, change: RemoteChange): string {
    const parent = heads.get(branch) ?? heads.get(main);
    const tree = applyChanges(parent === undefined ? new Map() : find(parent).tree, change.files);
    const made = describe(change, "A change");
    const sha = add({ parents: parent === undefined ? [] : [parent], tree, ...made });
    move(branch, sha, change.pusher ?? made.committer ?? made.author);
    return sha;
  }

  function tryMerge(branch: string): Tree | string {
    return mergeCommits((sha) => commits.get(sha), requireHead(main), requireHead(branch));
  }

  function mergeOnto(base: string, head: string, merge: Omit<RemoteMerge, "branch">): MergeResult {
    const tree = mergeCommits((sha) => commits.get(sha), base, head);
    if (typeof tree === "string") return { kind: "conflict", why: `${tree} was changed on both sides` };
    const parents = merge.method === "squash" ? [base] : [base, head];
    return { kind: "merged", sha: add({ parents, tree, ...describe(merge, "Merge") }) };
  }

  function mergeToMain({ branch, message = `Merge ${branch}`, ...merge }: RemoteMerge): MergeResult {
    const outcome = mergeOnto(requireHead(main), requireHead(branch), { ...merge, message });
    if (outcome.kind === "merged") move(main, outcome.sha, find(outcome.sha).author);
    return outcome;
  }

  function requireAvailable(): void {
    if (down) throw new GitUnavailable("the fake remote is down");
  }

  function push(branch: string, sha: string, expected: string | undefined, by: string): PushOutcome {
    requireAvailable();
    const other = [...heads.keys()].find((name) => name.startsWith(`${branch}/`) || branch.startsWith(`${name}/`));
    if (other !== undefined) {
      const options = { refusal: "branchInTheWay", branch: other } as const;
      throw new GitRefused(
        `there is no room for branch ${branch} while there is a branch ${other}`,
        "rename it",
        options,
      );
    }
    if (heads.get(branch) !== expected)
      return { kind: "rejected", why: `${branch} is at ${heads.get(branch) ?? "nothing"}` };
    move(branch, sha, by);
    return { kind: "pushed", sha };
  }

  return {
    recorded: pushes,
    commitTo,
    commitToMain: (change) => commitTo(main, change),
    mergeToMain,
    mergeOnto,
    forceMain: (sha) => move(main, find(sha).sha, "another"),
    force: (branch, sha, by = "another") => move(branch, find(sha).sha, by),
    removeBranch: (branch) => move(branch, undefined, "another"),
    head: (branch) => heads.get(branch),
    branches: () => heads,
    conflicts: (branch) => typeof tryMerge(branch) === "string",
    setUnavailable: (value) => {
      down = value;
    },
    hang,
    untilAnswering: async () => silence?.over,
    commit: (sha) => commits.get(sha),
    add,
    push,
    requireAvailable,
  };
}
