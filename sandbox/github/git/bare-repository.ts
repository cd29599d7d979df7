import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

import { type CommitFacts, type Person, parseCommit } from "./commit-facts.ts";
import { readBranches } from "./read-branches.ts";
import { type GitInput, runGit } from "./run-git.ts";

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
  isAncestor(ancestor: string, descendant: string): Promise<boolean>;
  mergeBase(a: string, b: string): Promise<string | undefined>;
  /** The merge's tree; undefined on a conflict. */
  mergeTree(ours: string, theirs: string): Promise<string | undefined>;
  writeCommit(commit: NewCommit): Promise<string>;
  /** Compare-and-swap; false when another client was first. */
  moveBranch(branch: string, to: string, from: string): Promise<boolean>;
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
    isAncestor: async (ancestor, descendant) =>
      (await ask(["merge-base", "--is-ancestor", ancestor, descendant])) !== undefined,
    mergeBase: async (a, b) => ask(["merge-base", a, b]),
    mergeTree: async (ours, theirs) => ask(["merge-tree", "--write-tree", "--no-messages", ours, theirs]),
    writeCommit: async ({ tree, parents, message, author, committer }) =>
      git(["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])], {
        input: message,
        env: toEnvironment(author, committer),
      }),
    moveBranch: async (branch, to, from) =>
      (await runGit(path, ["update-ref", `refs/heads/${branch}`, to, from])).code === 0,
  };
}
