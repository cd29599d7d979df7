import { isCommitId, toBranchRef } from "../names.ts";
import type { RunGit } from "../process/run-git.ts";

/** A commit as people name it: a full id, a branch or a tag, and `~N` for N first parents back. */
export interface ParsedRef {
  readonly base: string;
  readonly back: number;
}

/** Splits `main~2`; other suffixes stay part of the name, which is then refused. @internal */
export function parseRef(ref: string): ParsedRef {
  const [, base = ref, back = "0"] = /^(.*?)(?:~(\d{1,5}))?$/.exec(ref) ?? [];
  return { base, back: Number(back) };
}

async function findRemoteRef(git: RunGit, url: string, name: string): Promise<string | undefined> {
  const branch = toBranchRef(name);
  const tag = `refs/tags/${name}`;
  const found = new Map<string, string>();
  for (const line of (await git(["ls-remote", "--", url, branch, tag, `${tag}^{}`])).split("\n")) {
    const [sha = "", ref = ""] = line.split("\t");
    found.set(ref, sha);
  }
  // An annotated tag is an object; `^{}` is the commit that it names.
  return found.get(branch) ?? found.get(`${tag}^{}`) ?? found.get(tag);
}

/** The commit of a name on the remote now; undefined when there is none. */
export async function resolveRef(
  git: RunGit,
  url: string,
  ref: string,
  ensure: (sha: string) => Promise<void>,
): Promise<string | undefined> {
  const { base, back } = parseRef(ref);
  const sha = isCommitId(base) ? base : await findRemoteRef(git, url, base);
  if (sha === undefined) return undefined;
  await ensure(sha);
  if (back === 0) return sha;
  // `rev-list`, because `rev-parse` fails where there is no such parent.
  const line = await git(["rev-list", "--first-parent", `--skip=${back}`, "--max-count=1", sha]);
  return line.trim() === "" ? undefined : line.trim();
}
