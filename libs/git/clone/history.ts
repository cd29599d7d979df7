import type { Commit } from "../port.ts";
import type { RunGit } from "../process/run-git.ts";

/** Fields end with NUL, which neither names nor messages contain. */
const format = "--format=%H%x00%P%x00%an%x00%ct%x00%B%x00";
const fieldsPerCommit = 5;

function parseCommits(text: string): readonly Commit[] {
  const fields = text.split("\0");
  const commits: Commit[] = [];
  for (let at = 0; at + fieldsPerCommit < fields.length; at += fieldsPerCommit) {
    const [sha = "", parents = "", author = "", seconds = "", message = ""] = fields.slice(at, at + fieldsPerCommit);
    commits.push({
      // Every record but the first begins with the previous one's line end.
      sha: sha.trim(),
      parents: parents === "" ? [] : parents.split(" "),
      author,
      at: Number(seconds) * 1000,
      message: message.trimEnd(),
    });
  }
  return commits;
}

/** One process for any length of history. */
export async function listFirstParents(git: RunGit, from: string | undefined, to: string): Promise<readonly Commit[]> {
  const range = from === undefined ? [to] : [to, `^${from}`];
  const args = ["rev-list", "--first-parent", "--reverse", "--no-commit-header", "--encoding=UTF-8", format, ...range];
  return parseCommits(await git(args));
}

/** Only the ids, oldest first. */
export async function listLine(git: RunGit, from: string, to: string): Promise<readonly string[]> {
  const ids = await git(["rev-list", "--first-parent", "--reverse", to, `^${from}`]);
  return ids.split("\n").filter((id) => id !== "");
}

/** Those of these commits that are not in the first-parent history of `descendant`. */
export async function listOutside(
  git: RunGit,
  descendant: string,
  commits: readonly string[],
): Promise<readonly string[]> {
  if (commits.length === 0) return [];
  const line = new Set((await git(["rev-list", "--first-parent", descendant])).split("\n"));
  return commits.filter((sha) => !line.has(sha));
}

/** Those of these commits that the clone lacks, by one process. */
export async function listMissing(git: RunGit, commits: readonly string[]): Promise<readonly string[]> {
  const input = Buffer.from(commits.map((sha) => `${sha}\n`).join(""));
  const answers = (await git(["cat-file", "--batch-check"], { input })).split("\n");
  return commits.filter((_, index) => answers[index]?.includes(" commit ") !== true);
}

/**
 * Whether `ancestor` is in the first-parent history of `descendant`: of the commits that it does not reach, the oldest on that
 * line must have it as first parent. Walks only the commits between the two.
 */
export async function liesInFirstParents(git: RunGit, descendant: string, ancestor: string): Promise<boolean> {
  if (descendant === ancestor) return true;
  const lines = (await git(["rev-list", "--first-parent", "--parents", descendant, `^${ancestor}`]))
    .trimEnd()
    .split("\n");
  const [, firstParent] = (lines.at(-1) ?? "").split(" ");
  return firstParent === ancestor;
}
