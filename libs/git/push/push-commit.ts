import { GitRefused } from "../errors.ts";
import { GitFailed, type RunGit } from "../process/run-git.ts";
import type { PushOutcome } from "../port.ts";

/** The remote's answers when another client changed or created the branch since our fetch. */
const lostRace =
  /^\[rejected\]|cannot lock ref|failed to (?:update|lock) ref|reference already exists|incorrect old value/i;

/** Why the remote rejected our ref: the summary of its line in `git push --porcelain`, after flag and refs. */
function findRejection(stdout: string): string | undefined {
  return stdout
    .split("\n")
    .find((line) => line.startsWith("!\t"))
    ?.split("\t")[2];
}

/**
 * Whether the remote has the commit after all: when the answer to a push is lost, the second push is refused because the first
 * worked.
 */
async function remoteHasCommit(git: RunGit, url: string, sha: string, ref: string): Promise<boolean> {
  try {
    return (await git(["ls-remote", "--refs", "--", url, ref])).startsWith(`${sha}\t`);
  } catch {
    // Unknown; the push's own error says more than this one.
    return false;
  }
}

/** `refs/heads/a/b` of `refs/heads/a/b/c`: git stores a branch as a file, so no branch can be below another. */
function listAbove(ref: string): readonly string[] {
  const parts = ref.split("/");
  return parts.slice(3).map((_, index) => parts.slice(0, index + 3).join("/"));
}

/** The branch of the remote whose name leaves no room for this ref; undefined: none, or the remote does not answer. */
async function findInTheWay(git: RunGit, url: string, ref: string): Promise<string | undefined> {
  try {
    const found = await git(["ls-remote", "--refs", "--", url, ...listAbove(ref), `${ref}/*`]);
    return found.split("\n")[0]?.split("\t")[1]?.replace("refs/heads/", "");
  } catch {
    // Unknown; the rejection of the push is reported instead.
    return undefined;
  }
}

/** Throws where another branch's name leaves no room for the new branch: a retry would be rejected for ever. */
async function requireRoom(git: RunGit, url: string, ref: string): Promise<void> {
  const other = await findInTheWay(git, url, ref);
  if (other === undefined) return;
  const branch = ref.replace("refs/heads/", "");
  throw new GitRefused(
    `there is no room for branch ${branch} while there is a branch ${other}`,
    `rename that branch, or git push origin --delete ${other}`,
    { refusal: "branchInTheWay", branch: other },
  );
}

/**
 * Pushes one commit to one ref if the remote is still at `expected` (absent: it has no such branch); the remote compares and
 * swaps in one step. Throws `GitFailed` for all failures except a lost race.
 */
export async function pushCommit(
  git: RunGit,
  url: string,
  push: { readonly sha: string; readonly ref: string; readonly expected: string | undefined },
): Promise<PushOutcome> {
  const { sha, ref, expected } = push;
  try {
    await git([
      "push",
      "--porcelain",
      "--no-verify",
      `--force-with-lease=${ref}:${expected ?? ""}`,
      "--",
      url,
      `${sha}:${ref}`,
    ]);
    return { kind: "pushed", sha };
  } catch (error) {
    if (await remoteHasCommit(git, url, sha, ref)) return { kind: "pushed", sha };
    const rejection = error instanceof GitFailed ? findRejection(error.stdout) : undefined;
    if (rejection !== undefined && expected === undefined) await requireRoom(git, url, ref);
    if (rejection === undefined || !lostRace.test(rejection)) throw error;
    const branch = ref.replace("refs/heads/", "");
    return {
      kind: "rejected",
      why: `${branch} on the remote is not at ${expected ?? "nothing"} any more: ${rejection}`,
    };
  }
}
