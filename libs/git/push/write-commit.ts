import { GitRefused } from "../errors.ts";
import { requireRepositoryPath } from "../names.ts";
import type { CommitDraft } from "../port.ts";
import { GitFailed, type RunGit } from "../process/run-git.ts";

function writeData(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text, "utf8");
  return [Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from("\n")];
}

/** Drops characters that would end a field early. */
function cleanPerson({ name, email }: CommitDraft["author"]): CommitDraft["author"] {
  // eslint-disable-next-line no-control-regex -- a line end in a name would start a command of the stream
  const clean = (text: string): string => text.replace(/[<>\u0000-\u001f]/g, "").trim();
  return { name: clean(name), email: clean(email) };
}

function toSeconds(at: number): number {
  return Math.floor(at / 1000);
}

/** `Name <email> seconds zone`. */
function writePerson(author: CommitDraft["author"], at: number): string {
  const { name, email } = cleanPerson(author);
  return `${name} <${email}> ${toSeconds(at)} +0000`;
}

function writeChange(path: string, content: string | null): readonly Buffer[] {
  const quoted = `"${requireRepositoryPath(path).replaceAll('"', '\\"')}"`;
  if (content === null) return [Buffer.from(`D ${quoted}\n`)];
  return [Buffer.from(`M 100644 inline ${quoted}\n`), ...writeData(content)];
}

/** The message as git stores it, with a line end. */
function endMessage({ message }: CommitDraft): string {
  return message.endsWith("\n") ? message : `${message}\n`;
}

/** The commit to build on, and the merged one. */
function listParents({ onto, startAt, merging }: CommitDraft): readonly string[] {
  return [onto ?? startAt, onto === undefined ? undefined : merging].filter((sha) => sha !== undefined);
}

/** The stream of `git fast-import` for one commit: blobs, trees and commit by one process, no index and no checkout. */
function writeStream(draft: CommitDraft, tree: string | undefined, at: number): Buffer {
  const person = writePerson(draft.author, at);
  const [parent, merged] = listParents(draft);
  return Buffer.concat([
    // A private ref that only names the commit until it is pushed.
    Buffer.from(`commit refs/meshroll/draft\nmark :1\nauthor ${person}\ncommitter ${person}\n`),
    ...writeData(endMessage(draft)),
    Buffer.from(parent === undefined ? "" : `from ${parent}\n`),
    // Replaces the whole tree, so that files deleted by the second parent are gone too.
    Buffer.from(tree === undefined ? "" : `merge ${merged}\nM 040000 ${tree} ""\n`),
    ...Object.entries(draft.files).flatMap(([path, content]) => writeChange(path, content)),
    Buffer.from("\nget-mark :1\ndone\n"),
  ]);
}

/** The same commit, signed by git: `fast-import` cannot sign. The unsigned one is unreachable, and git removes it later. */
async function signCommit(git: RunGit, made: string, draft: CommitDraft, at: number): Promise<string> {
  const { name, email } = cleanPerson(draft.author);
  const date = `@${toSeconds(at)} +0000`;
  const env = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
  const parents = listParents(draft).flatMap((sha) => ["-p", sha]);
  const input = Buffer.from(endMessage(draft), "utf8");
  try {
    return (await git(["commit-tree", "-S", ...parents, `${made}^{tree}`], { input, env })).trim();
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    const why = error.stderr.trim().split("\n")[0] ?? "";
    const fix = "name a key with which it can sign in git's own configuration, or unset commit.gpgsign there";
    throw new GitRefused(`git cannot sign a commit: ${why}`, fix, { cause: error });
  }
}

/** Makes commits in the clone, and pushes nothing. */
export interface CommitWriter {
  /** Returns its id. `now`: epoch ms, used where the draft has no time. */
  readonly write: (draft: CommitDraft, now: number) => Promise<string>;
  /** Whether git's configuration has `commit.gpgsign`, which is read once. */
  readonly isSigning: () => Promise<boolean>;
}

export function createCommitWriter(git: RunGit): CommitWriter {
  let signs: boolean | undefined;

  async function isSigning(): Promise<boolean> {
    signs ??= (await git(["config", "--type=bool", "--default=false", "--get", "commit.gpgsign"])).trim() === "true";
    return signs;
  }

  async function write(draft: CommitDraft, now: number): Promise<string> {
    const at = draft.at ?? now;
    const [, merged] = listParents(draft);
    const tree = merged === undefined ? undefined : (await git(["rev-parse", `${merged}^{tree}`])).trim();
    const input = writeStream(draft, tree, at);
    const made = (await git(["fast-import", "--quiet", "--force", "--done", "--date-format=raw"], { input })).trim();
    return (await isSigning()) ? signCommit(git, made, draft, at) : made;
  }

  return { write, isSigning };
}
