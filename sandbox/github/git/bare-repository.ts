import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

import { type CommitFacts, type Person, parseCommit } from "./commit-facts.ts";
import { readBranches } from "./read-branches.ts";
import { type GitInput, runGit } from "./run-git.ts";

export interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  readonly size: number;
  readonly path: string;
}

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Person;
  readonly committer: Person;
}

/**
 * A bare repository on disk, read and written by git's plumbing commands: all routes work on it. Objects never change, so they
 * are cached.
 */
export interface BareRepository {
  readonly path: string;
  git(args: readonly string[], input?: GitInput): Promise<string>;
  /** Commit ids by branch. */
  readBranches(): Promise<ReadonlyMap<string, string>>;
  /** Undefined when the repository has no commit with this id. */
  readCommit(sha: string): Promise<CommitFacts | undefined>;
  readBlob(sha: string): Promise<Buffer>;
  /** Entries directly below a folder ("" = root). */
  listFolder(commit: string, folder: string): Promise<readonly TreeEntry[]>;
  isAncestor(ancestor: string, descendant: string): Promise<boolean>;
  mergeBase(a: string, b: string): Promise<string | undefined>;
  /** The merge's tree; undefined on a conflict. */
  mergeTree(ours: string, theirs: string): Promise<string | undefined>;
  writeBlob(content: Buffer): Promise<string>;
  writeCommit(commit: NewCommit): Promise<string>;
  /** Compare-and-swap; `from` undefined = must not exist, `to` undefined = delete. False when another client was first. */
  moveBranch(branch: string, to: string | undefined, from: string | undefined): Promise<boolean>;
}

const nothing = "0".repeat(40);

function parseEntries(text: string): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (const record of text.split("\0")) {
    const [, mode, type, sha, size, path] = /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(record) ?? [];
    if (mode === undefined || type === undefined || sha === undefined || path === undefined) continue;
    entries.push({ mode, type, sha, size: Number(size) || 0, path });
  }
  return entries;
}

function toEnvironment(author: Person, committer: Person): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: `${author.seconds} +0000`,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: `${committer.seconds} +0000`,
  };
}

/** Opens the repository, and creates it if it does not exist. */
export async function openBareRepository(folder: string, owner: string, repo: string): Promise<BareRepository> {
  const path = join(folder, owner, `${repo}.git`);
  const commits = new Map<string, CommitFacts>();

  async function git(args: readonly string[], input: GitInput = {}): Promise<string> {
    const { code, stdout, stderr } = await runGit(path, args, input);
    if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${stderr.trim()}`);
    return stdout.toString().trimEnd();
  }

  async function ask(args: readonly string[]): Promise<string | undefined> {
    const { code, stdout } = await runGit(path, args);
    return code === 0 ? stdout.toString().trim() : undefined;
  }

  if (!existsSync(join(path, "HEAD"))) {
    mkdirSync(path, { recursive: true });
    await git(["init", "--quiet", "--bare", "--template=", "-b", "main", path]);
    // As on GitHub: pushes over HTTP, and commits that no branch contains can be fetched by id.
    appendFileSync(join(path, "config"), "[http]\n\treceivepack = true\n[uploadpack]\n\tallowAnySHA1InWant = true\n");
  }

  return {
    path,
    git,
    readBranches: async () => readBranches(path),
    async readCommit(sha) {
      const known = commits.get(sha);
      if (known !== undefined || !/^[0-9a-f]{40}$/.test(sha)) return known;
      const { code, stdout } = await runGit(path, ["cat-file", "commit", sha]);
      if (code !== 0) return undefined;
      const facts = parseCommit(sha, stdout.toString());
      commits.set(sha, facts);
      return facts;
    },
    readBlob: async (sha) => (await runGit(path, ["cat-file", "blob", sha])).stdout,
    async listFolder(commit, below) {
      const paths = below === "" ? [] : ["--", `${below}/`];
      return parseEntries(await git(["ls-tree", "-z", "-l", "--full-tree", commit, ...paths]));
    },
    isAncestor: async (ancestor, descendant) =>
      (await ask(["merge-base", "--is-ancestor", ancestor, descendant])) !== undefined,
    mergeBase: async (a, b) => ask(["merge-base", a, b]),
    mergeTree: async (ours, theirs) => ask(["merge-tree", "--write-tree", "--no-messages", ours, theirs]),
    writeBlob: async (content) => git(["hash-object", "-w", "--stdin"], { input: content }),
    writeCommit: async ({ tree, parents, message, author, committer }) =>
      git(["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])], {
        input: message,
        env: toEnvironment(author, committer),
      }),
    async moveBranch(branch, to, from) {
      const ref = `refs/heads/${branch}`;
      const args =
        to === undefined ? ["update-ref", "-d", ref, from ?? nothing] : ["update-ref", ref, to, from ?? nothing];
      return (await runGit(path, args)).code === 0;
    },
  };
}
