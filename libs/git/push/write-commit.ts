import { requireRepositoryPath } from "../names.ts";
import type { CommitDraft } from "../port.ts";
import type { CatFile, RunGit } from "../process/run-git.ts";
import { insertSignature } from "./signed-commit.ts";

function writeData(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text, "utf8");
  return [Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from("\n")];
}

/** `Name <email> seconds zone`; characters that would end a field early are dropped. */
function writePerson(author: CommitDraft["author"], at: number): string {
  // eslint-disable-next-line no-control-regex -- a line end in a name would start a command of the stream
  const clean = (text: string): string => text.replace(/[<>\u0000-\u001f]/g, "").trim();
  return `${clean(author.name)} <${clean(author.email)}> ${Math.floor(at / 1000)} +0000`;
}

function writeChange(path: string, content: string | null): readonly Buffer[] {
  const quoted = `"${requireRepositoryPath(path).replaceAll('"', '\\"')}"`;
  if (content === null) return [Buffer.from(`D ${quoted}\n`)];
  return [Buffer.from(`M 100644 inline ${quoted}\n`), ...writeData(content)];
}

/** The stream of `git fast-import` for one commit: blobs, trees and commit by one process, no index and no checkout. */
function writeStream(draft: CommitDraft, parent: string | undefined, tree: string | undefined, at: number): Buffer {
  const person = writePerson(draft.author, at);
  const message = draft.message.endsWith("\n") ? draft.message : `${draft.message}\n`;
  return Buffer.concat([
    // The ref is ours alone and only serves to name the commit until it is pushed.
    Buffer.from(`commit refs/meshroll/draft\nmark :1\nauthor ${person}\ncommitter ${person}\n`),
    ...writeData(message),
    Buffer.from(parent === undefined ? "" : `from ${parent}\n`),
    // The root itself is replaced: what the second parent deleted is gone too.
    Buffer.from(tree === undefined ? "" : `merge ${draft.merging}\nM 040000 ${tree} ""\n`),
    ...Object.entries(draft.files).flatMap(([path, content]) => writeChange(path, content)),
    Buffer.from("\nget-mark :1\ndone\n"),
  ]);
}

/** The same commit with a signature; the one without it is left to git, and reached by nothing. */
async function signCommit(
  git: RunGit,
  catFile: CatFile,
  commit: string,
  sign: NonNullable<CommitDraft["sign"]>,
): Promise<string> {
  const payload = await catFile(["commit", commit], {});
  const input = insertSignature(payload, sign(payload), commit);
  // `fast-import` takes signatures in the newest versions of git alone.
  return (await git(["hash-object", "-t", "commit", "-w", "--stdin"], { input })).trim();
}

/** Makes the commit in the clone and answers its id; nothing is pushed. `at`: epoch ms, where the draft has no time of its own. */
export async function writeCommit(git: RunGit, catFile: CatFile, draft: CommitDraft, at: number): Promise<string> {
  const merging = draft.onto === undefined ? undefined : draft.merging;
  const tree = merging === undefined ? undefined : (await git(["rev-parse", `${merging}^{tree}`])).trim();
  const input = writeStream(draft, draft.onto ?? draft.startAt, tree, draft.at ?? at);
  const made = (await git(["fast-import", "--quiet", "--force", "--done", "--date-format=raw"], { input })).trim();
  return draft.sign === undefined ? made : signCommit(git, catFile, made, draft.sign);
}
