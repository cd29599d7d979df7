import { type BoundedCache, createBoundedCache } from "../bounded-cache.ts";
import type { TreeFile } from "../port.ts";
import { listFolder, readTree, requireReadable, type TreeEntry } from "./read-tree.ts";
import type { ProcessLimits } from "../process/process-limits.ts";
import type { CatFile, RunGit } from "../process/run-git.ts";

type Folder = ReadonlyMap<string, TreeEntry>;

/** Reads files at a commit without a checkout. */
export interface TreeReader {
  readAll(commit: string, paths: readonly string[], known: (file: TreeFile) => boolean): Promise<readonly TreeFile[]>;
  list(commit: string, folder: string): Promise<readonly string[]>;
  read(commit: string, path: string): Promise<string | undefined>;
  forget(): void;
}

const maxCachedCharacters = 32 * 1024 * 1024;

function findFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** Caches folders and contents, which never change. */
export function createTreeReader(git: RunGit, catFile: CatFile, limits: ProcessLimits): TreeReader {
  const folders: BoundedCache<Folder> = createBoundedCache<Folder>(64);
  const blobs: BoundedCache<string> = createBoundedCache<string>(maxCachedCharacters, (text) => text.length);

  async function readFolder(commit: string, folder: string): Promise<Folder> {
    const key = `${commit}:${folder}`;
    const known = folders.get(key);
    if (known !== undefined) return known;
    const entries = await listFolder(async (args) => git(args, { limits }), commit, folder);
    const read = new Map(entries.map((entry) => [entry.path, entry]));
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
      requireReadable(entry, commit);
      return readBlob(entry.blob);
    },
    readAll: async (commit, paths, known) => readTree(git, catFile, commit, paths, known),
    forget() {
      folders.clear();
      blobs.clear();
    },
  };
}
