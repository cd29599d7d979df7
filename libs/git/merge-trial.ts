import { createBoundedCache } from "./bounded-cache.ts";
import type { MergeTrial } from "./port.ts";
import { GitFailed, type RunGit } from "./run-git.ts";

/** A trial with the tree that the merge would have; on a conflict that tree holds conflict marks and is not kept. */
export type TriedMerge =
  | { readonly trial: Extract<MergeTrial, { readonly kind: "clean" }>; readonly tree: string }
  | { readonly trial: Extract<MergeTrial, { readonly kind: "conflict" }>; readonly tree?: never };

export interface MergeTrials {
  try(main: string, head: string): Promise<TriedMerge>;
  forget(): void;
}

function splitNames(text: string): readonly string[] {
  return text.split("\0").filter((name) => name !== "");
}

/** What a failed `merge-tree` means; anything but a conflict is thrown on. */
function readConflict(error: unknown): TriedMerge {
  if (!(error instanceof GitFailed)) throw error;
  // Exit 1 is the conflict: the tree, then the names of the files in it.
  if (error.exitCode === 1) {
    const [, ...paths] = splitNames(error.stdout);
    return { trial: { kind: "conflict", paths: [...new Set(paths)] } };
  }
  if (/unrelated histories/.test(error.stderr)) return { trial: { kind: "conflict", paths: [] } };
  throw error;
}

/** Merges in the object store, without a checkout: lines and renames as GitHub merges them. Two commits have one answer for ever. */
export function createMergeTrials(git: RunGit): MergeTrials {
  const known = createBoundedCache<TriedMerge>(200);

  async function merge(main: string, head: string): Promise<TriedMerge> {
    let tree: string;
    try {
      const made = await git(["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", main, head]);
      tree = splitNames(made)[0]?.trim() ?? "";
    } catch (error) {
      return readConflict(error);
    }
    const changed = splitNames(await git(["diff-tree", "-r", "-z", "--no-renames", "--name-only", main, tree]));
    return { trial: { kind: "clean", changed }, tree };
  }

  return {
    async try(main, head) {
      const key = `${main} ${head}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const tried = await merge(main, head);
      known.set(key, tried);
      return tried;
    },
    forget: () => known.clear(),
  };
}
