import { GitFailed, type RunGit } from "../process/run-git.ts";
import type { PushOutcome } from "../port.ts";

/** What a remote answers when another client moved or created the branch between our fetch and our push. */
const lostRace =
  /^\[rejected\]|cannot lock ref|failed to (?:update|lock) ref|reference already exists|incorrect old value/i;

/** The line about our ref in `git push --porcelain`: flag, refs, summary. */
function findVerdict(stdout: string): string | undefined {
  return stdout
    .split("\n")
    .find((line) => line.startsWith("!\t"))
    ?.split("\t")[2];
}

/** True when the remote has it after all: its answer was lost, and the line's own second try then met our commit. */
async function isMigrated(git: RunGit, url: string, sha: string, ref: string): Promise<boolean> {
  try {
    return (await git(["ls-remote", "--refs", "--", url, ref])).startsWith(`${sha}\t`);
  } catch {
    // Then it is unknown; the push's own error says more than this one.
    return false;
  }
}

/**
 * Pushes one commit to one ref when the remote is still at `expected` (absent: has no such branch): the compare and the
 * swap are one step on the remote. Throws `GitFailed` for all but a lost race.
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
    if (await isMigrated(git, url, sha, ref)) return { kind: "pushed", sha };
    const verdict = error instanceof GitFailed ? findVerdict(error.stdout) : undefined;
    if (verdict === undefined || !lostRace.test(verdict)) throw error;
    const branch = ref.replace("refs/heads/", "");
    return { kind: "rejected", why: `${branch} on the remote is not at ${expected ?? "nothing"} any more: ${verdict}` };
  }
}
