import { GitOverLimit, GitRefused, GitTooLarge } from "../errors.ts";
import { isRepositoryPath } from "../names.ts";
import type { TreeFile } from "../port.ts";
import { type CatFile, GitFailed, type RunGit } from "../process/run-git.ts";

/** The limit of a file that people write by hand, because it is held in memory. */
export const maxFileBytes = 16 * 1024 * 1024;

/** The limit of files that are read together: ten times a year of decisions. */
const maxTreeBytes = 128 * 1024 * 1024;

export interface TreeEntry {
  readonly path: string;
  readonly blob: string;
  /** Bytes. */
  readonly size: number;
}

/** `<mode> <type> <object> <size>\t<path>`, NUL-terminated. Only regular files: a symlink's content is a path. */
export function parseEntries(text: string): readonly TreeEntry[] {
  return text.split("\0").flatMap((record) => {
    const [, mode = "", blob, size, path] = /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(record) ?? [];
    const isFile = mode.startsWith("100") && blob !== undefined && path !== undefined && isRepositoryPath(path);
    return isFile ? [{ path, blob, size: Number(size) }] : [];
  });
}

/** Direct entries of a folder; throws `GitTooLarge` for more names than a limited git may print. */
export async function listFolder(git: RunGit, tree: string, folder: string): Promise<readonly TreeEntry[]> {
  const below = folder === "" ? [] : ["--", `${folder}/`];
  try {
    return parseEntries(await git(["ls-tree", "-z", "-l", "--full-tree", tree, ...below]));
  } catch (error) {
    if (!(error instanceof GitOverLimit) || error.limit !== "output") throw error;
    const name = folder === "" ? "the root" : `${folder}/`;
    throw new GitTooLarge(folder, `${name} at ${tree.slice(0, 12)} has more files than meshroll lists`);
  }
}

function printMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}

export function requireReadable({ path, size }: TreeEntry, commit: string): void {
  if (size <= maxFileBytes) return;
  const place = `${path} at ${commit.slice(0, 12)}`;
  throw new GitTooLarge(path, `${place} is ${printMebibytes(size)}, more than meshroll reads`);
}

function requireReadableTogether(entries: readonly TreeEntry[], commit: string): void {
  const sum = entries.reduce((bytes, { size }) => bytes + size, 0);
  if (sum <= maxTreeBytes) return;
  const largest = entries.toSorted((a, b) => b.size - a.size)[0]?.path ?? "";
  throw new GitRefused(
    `${entries.length} files at ${commit.slice(0, 12)} are ${printMebibytes(sum)}, more than meshroll reads`,
    `remove what is too large, ${largest} first`,
  );
}

/** The output of `cat-file --batch`: for each object `<id> <type> <bytes>`, a line end, the content, a line end. */
export function parseContents(answer: Buffer, wanted: readonly string[]): ReadonlyMap<string, string> {
  const contents = new Map<string, string>();
  let at = 0;
  for (const id of wanted) {
    const end = answer.indexOf(0x0a, at);
    const [name, type, size] = answer.toString("utf8", at, end).split(" ");
    if (end < 0 || name !== id || type !== "blob") throw new GitFailed(0, "", `missing blob ${id}`);
    const begin = end + 1;
    contents.set(id, answer.toString("utf8", begin, begin + Number(size)));
    at = begin + Number(size) + 1;
  }
  return contents;
}

/** Two processes for any number of files: one lists the tree, one reads what is not cached. */
export async function readTree(
  git: RunGit,
  catFile: CatFile,
  commit: string,
  paths: readonly string[],
  known: (file: TreeFile) => boolean,
): Promise<readonly TreeFile[]> {
  const entries = parseEntries(await git(["ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", ...paths]));
  const unread = entries.filter(({ path, blob }) => !known({ path, id: blob }));
  for (const entry of unread) requireReadable(entry, commit);
  requireReadableTogether(unread, commit);
  const wanted = [...new Set(unread.map(({ blob }) => blob))];
  const input = Buffer.from(wanted.map((id) => `${id}\n`).join(""));
  const contents =
    wanted.length === 0 ? new Map<string, string>() : parseContents(await catFile(["--batch"], { input }), wanted);
  return entries.map(({ path, blob }) => {
    const text = contents.get(blob);
    return text === undefined ? { path, id: blob } : { path, id: blob, text };
  });
}
