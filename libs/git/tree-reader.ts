import { type BoundedCache, createBoundedCache } from "./bounded-cache.ts";
import { GitRefused } from "./errors.ts";
import { isRepositoryPath } from "./names.ts";
import type { RunGit } from "./run-git.ts";

interface Entry {
  readonly blob: string;
  readonly size: number;
}

type Folder = ReadonlyMap<string, Entry>;

/** Reads files at a commit without a checkout. */
export interface TreeReader {
  list(commit: string, folder: string): Promise<readonly string[]>;
  read(commit: string, path: string): Promise<string | undefined>;
  forget(): void;
}

/** A file that people write by hand; anything larger is a mistake, and would be held in memory whole. */
const maxFileBytes = 16 * 1024 * 1024;
const maxCachedCharacters = 32 * 1024 * 1024;

/** `<mode> <type> <object> <size>\t<path>`, NUL-ended. Only regular files: a symlink's content is a path, not a file of ours. */
function parseEntries(text: string): Folder {
  const entries = new Map<string, Entry>();
  for (const record of text.split("\0")) {
    const [, mode = "", blob, size, path] = /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.*)$/s.exec(record) ?? [];
    if (!mode.startsWith("100") || blob === undefined || path === undefined || !isRepositoryPath(path)) continue;
    entries.set(path, { blob, size: Number(size) });
  }
  return entries;
}

function findFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** Objects are named by their content, so what was read once is never asked again. */
export function createTreeReader(git: RunGit): TreeReader {
  const folders: BoundedCache<Folder> = createBoundedCache<Folder>(64);
  const blobs: BoundedCache<string> = createBoundedCache<string>(maxCachedCharacters, (text) => text.length);

  async function readFolder(commit: string, folder: string): Promise<Folder> {
    const key = `${commit}:${folder}`;
    const known = folders.get(key);
    if (known !== undefined) return known;
    const below = folder === "" ? [] : ["--", `${folder}/`];
    const read = parseEntries(await git(["ls-tree", "-z", "-l", "--full-tree", commit, ...below]));
    folders.set(key, read);
    return read;
  }

  async function readBlob(blob: string): Promise<string> {
    const known = blobs.get(blob);
    if (known !== undefined) return known;
    const text = await git(["cat-file", "blob", blob]);
    blobs.set(blob, text);
    return text;
  }

  return {
    async list(commit, folder) {
      return [...(await readFolder(commit, folder)).keys()];
    },
    async read(commit, path) {
      const entry = (await readFolder(commit, findFolder(path))).get(path);
      if (entry === undefined) return undefined;
      if (entry.size > maxFileBytes) {
        const size = `${Math.ceil(entry.size / 1024 / 1024)} MiB`;
        throw new GitRefused(
          `${path} at ${commit.slice(0, 12)} is ${size}, more than meshroll reads`,
          `make ${path} smaller`,
        );
      }
      return readBlob(entry.blob);
    },
    forget() {
      folders.clear();
      blobs.clear();
    },
  };
}
