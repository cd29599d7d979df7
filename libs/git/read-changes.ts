import type { FileChanges } from "./port.ts";
import { maxFileBytes, parseContents } from "./read-tree.ts";
import type { CatFile, RunGit } from "./run-git.ts";

/** A commit and what it made of the paths that it changed: the id of a regular file's content, or nothing. */
interface ListedChange {
  readonly sha: string;
  readonly files: Map<string, string | undefined>;
}

/** `:<mode> <mode> <id> <id> <status>`: a symlink or a submodule is no file of ours, and "0…0" is a file that went. */
function readNewId(meta: string): string | undefined {
  const [, mode = "", , id] = meta.trim().split(" ");
  return mode.startsWith("100") ? id : undefined;
}

/** NUL-ended: a commit's id, then for each path its modes and ids, and its name. */
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

/** So many commits' files are in memory at once. */
const chunk = 100;

async function readSmall(git: RunGit, catFile: CatFile, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const print = (names: readonly string[]): Buffer => Buffer.from(names.map((id) => `${id}\n`).join(""));
  const sizes = (await git(["cat-file", "--batch-check"], { input: print(ids) })).split("\n");
  const small = ids.filter((_, index) => Number(sizes[index]?.split(" ")[2]) <= maxFileBytes);
  return small.length === 0 ? new Map() : parseContents(await catFile(["--batch"], { input: print(small) }), small);
}

/** See `RolloutsRepository.readChanges`: one process lists them, two read each hundred. */
export async function readChanges(
  git: RunGit,
  catFile: CatFile,
  { from, to, paths }: { readonly from: string; readonly to: string; readonly paths: readonly string[] },
  each: (change: FileChanges) => void,
): Promise<void> {
  const form = ["-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--format=%x00%H"];
  const range = ["--first-parent", "--reverse", `${from}..${to}`];
  const listed = parseRaw(await git(["log", ...form, ...range, "--", ...paths]));
  const own = new Set(paths);
  for (let at = 0; at < listed.length; at += chunk) {
    const some = listed.slice(at, at + chunk);
    const ids = some.flatMap(({ files }) => [...files].flatMap(([path, id]) => (own.has(path) ? (id ?? []) : [])));
    const texts = await readSmall(git, catFile, [...new Set(ids)]);
    for (const { sha, files } of some) {
      const known = [...files].filter(([path]) => own.has(path));
      each({ sha, files: new Map(known.map(([path, id]) => [path, texts.get(id ?? "")])) });
    }
  }
}
