import type { FileChanges } from "../port.ts";
import { maxFileBytes, parseContents } from "./read-tree.ts";
import type { CatFile, RunGit } from "../process/run-git.ts";

/** A commit and its changed paths, each with the id of its new content; undefined where it has none. */
interface ListedChange {
  readonly sha: string;
  readonly files: Map<string, string | undefined>;
}

/** `:<mode> <mode> <id> <id> <status>`: symlinks and submodules are ignored, and "0…0" is a deleted file. */
function readNewId(meta: string): string | undefined {
  const [, mode = "", , id] = meta.trim().split(" ");
  return mode.startsWith("100") ? id : undefined;
}

/** NUL-terminated: a commit's id, then for each path its modes and ids, and its name. */
function parseRaw(text: string): readonly ListedChange[] {
  const changes: ListedChange[] = [];
  const fields = text.split("\0");
  for (let at = 0; at < fields.length; at += 1) {
    const field = (fields[at] ?? "").trim();
    if (field.startsWith(":")) {
      at += 1;
      changes.at(-1)?.files.set(fields[at] ?? "", readNewId(field));
    } else if (field !== "") changes.push({ sha: field, files: new Map() });
  }
  return changes;
}

/** Bytes of contents in memory at once. */
const chunkBytes = 8 * 1024 * 1024;

/** Objects with their sizes, without those that are too large. */
async function measureSmall(git: RunGit, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const sizes = (await git(["cat-file", "--batch-check"], { input: printIds(ids) })).split("\n");
  const measured = ids.map((id, index): [string, number] => [id, Number(sizes[index]?.split(" ")[2])]);
  return new Map(measured.filter(([, bytes]) => bytes <= maxFileBytes));
}

function printIds(ids: readonly string[]): Buffer {
  return Buffer.from(ids.map((id) => `${id}\n`).join(""));
}

async function readAll(catFile: CatFile, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return ids.length === 0 ? new Map() : parseContents(await catFile(["--batch"], { input: printIds(ids) }), ids);
}

/** Splits the changes, in order, so that each part fits into memory. */
function* cutChunks(
  changes: readonly ListedChange[],
  measure: (change: ListedChange) => number,
): Generator<readonly ListedChange[]> {
  let some: ListedChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    some.push(change);
    bytes += measure(change);
    if (bytes < chunkBytes) continue;
    yield some;
    [some, bytes] = [[], 0];
  }
  yield some;
}

/** See `RolloutsRepository.readChanges`: one process lists the changes, one measures the contents, and one reads each part. */
export async function readChanges(
  git: RunGit,
  catFile: CatFile,
  { from, to, paths }: { readonly from: string | undefined; readonly to: string; readonly paths: readonly string[] },
  each: (change: FileChanges) => void,
): Promise<void> {
  const form = ["-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--format=%x00%H"];
  const range = ["--first-parent", "--reverse", from === undefined ? to : `${from}..${to}`];
  const listed = parseRaw(await git(["log", ...form, ...range, "--", ...paths]));
  const own = new Set(paths);
  const listIds = ({ files }: ListedChange): readonly string[] =>
    [...files].flatMap(([path, id]) => (own.has(path) ? (id ?? []) : []));
  const sizes = await measureSmall(git, [...new Set(listed.flatMap(listIds))]);
  const measure = (change: ListedChange): number => listIds(change).reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
  for (const some of cutChunks(listed, measure)) {
    const texts = await readAll(
      catFile,
      [...new Set(some.flatMap(listIds))].filter((id) => sizes.has(id)),
    );
    for (const { sha, files } of some) {
      const known = [...files].filter(([path]) => own.has(path));
      const below = paths.filter((path) => [...files.keys()].some((file) => file.startsWith(`${path}/`)));
      each({ sha, files: new Map(known.map(([path, id]) => [path, texts.get(id ?? "")])), below });
    }
  }
}
