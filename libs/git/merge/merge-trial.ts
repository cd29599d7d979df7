import { createBoundedCache } from "../bounded-cache.ts";
import { GitTooLarge } from "../errors.ts";
import { listChanged } from "../read/list-changed.ts";
import type { MergeTrial } from "../port.ts";
import type { ProcessLimits } from "../process/process-limits.ts";
import { listFolder, parseEntries, type TreeEntry } from "../read/read-tree.ts";
import { GitFailed, type RunGit } from "../process/run-git.ts";

/** The trial, with the tree of a clean merge. */
export type TriedMerge =
  | { readonly trial: Extract<MergeTrial, { readonly kind: "clean" }>; readonly tree: string }
  | { readonly trial: Extract<MergeTrial, { readonly kind: "conflict" }>; readonly tree?: never };

/** Trial merges of commits that a stranger may have made: each process is limited, and only requested folders are read. */
export interface MergeTrials {
  try(main: string, head: string, inside: readonly string[]): Promise<TriedMerge>;
  /** Regular files directly in a folder of a tree, full paths. */
  list(tree: string, folder: string): Promise<readonly string[]>;
  read(tree: string, path: string): Promise<string | undefined>;
  forget(): void;
}

/** More than the 1 MiB of meshroll's largest files. */
const mostBytes = 2 * 1024 * 1024;
/** Bytes of names and texts that are cached. */
const mostCached = 8 * 1024 * 1024;

function splitNames(text: string): readonly string[] {
  return text.split("\0").filter((name) => name !== "");
}

/** Reads a conflict out of a failed `merge-tree`; other errors are thrown. */
function readConflict(error: unknown): TriedMerge {
  if (!(error instanceof GitFailed)) throw error;
  // Exit code 1 is a conflict: the tree, then the names of the files in it.
  if (error.exitCode === 1) {
    const [, ...paths] = splitNames(error.stdout);
    return { trial: { kind: "conflict", paths: [...new Set(paths)] } };
  }
  if (/unrelated histories/.test(error.stderr)) return { trial: { kind: "conflict", paths: [] } };
  throw error;
}

function weigh({ trial }: TriedMerge): number {
  return (trial.kind === "clean" ? trial.changed : trial.paths).reduce((sum, path) => sum + path.length + 64, 200);
}

/** Merges in the object store, without a checkout, with renames as GitHub merges. The answer for two commits never changes. */
export function createMergeTrials(unlimited: RunGit, limits: ProcessLimits): MergeTrials {
  const git: RunGit = async (args, call = {}) => unlimited(args, { ...call, limits });
  const known = createBoundedCache<TriedMerge>(mostCached, weigh);

  async function merge(main: string, head: string, inside: readonly string[]): Promise<TriedMerge> {
    let tree: string;
    try {
      const made = await git(["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", main, head]);
      tree = splitNames(made)[0]?.trim() ?? "";
    } catch (error) {
      return readConflict(error);
    }
    return { trial: { kind: "clean", changed: await listChanged(git, main, tree, inside) }, tree };
  }

  async function findEntry(tree: string, path: string): Promise<TreeEntry | undefined> {
    return parseEntries(await git(["ls-tree", "-z", "-l", "--full-tree", tree, "--", path]))[0];
  }

  return {
    async try(main, head, inside) {
      const key = [main, head, ...inside].join(" ");
      const before = known.get(key);
      if (before !== undefined) return before;
      const tried = await merge(main, head, inside);
      known.set(key, tried);
      return tried;
    },
    async list(tree, folder) {
      return (await listFolder(git, tree, folder)).map(({ path }) => path);
    },
    async read(tree, path) {
      const entry = await findEntry(tree, path);
      if (entry === undefined) return undefined;
      if (entry.size > mostBytes) {
        const message = `${path} would be ${Math.ceil(entry.size / 1024)} KiB, more than meshroll reads`;
        throw new GitTooLarge(path, message);
      }
      return git(["cat-file", "blob", entry.blob]);
    },
    forget: () => known.clear(),
  };
}
