import type { Repacked } from "../port.ts";
import type { RunGit } from "../process/run-git.ts";

/** Limits above which a clone is repacked. Each transition leaves about eight objects, each fetch as many. */
export interface RepackLimits {
  readonly loose: number;
  readonly packs: number;
}

export const repackLimits: RepackLimits = { loose: 2000, packs: 20 };

/** One thread and little memory, because it runs next to reconciles and watches. */
const modest = ["-c", "pack.threads=1", "-c", "pack.windowMemory=64m", "-c", "core.bigFileThreshold=8m"];

function readCount(text: string, name: string): number {
  return Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

/**
 * Packs loose objects and small packs into one pack next to the large ones, so the work grows only with what is new. Nothing is
 * deleted: a commit that no branch reaches any more may still be read.
 */
export async function repackClone(git: RunGit, limits: RepackLimits): Promise<Repacked> {
  const text = await git(["count-objects", "-v"]);
  const [loose, packs] = [readCount(text, "count"), readCount(text, "packs")];
  if (loose <= limits.loose && packs <= limits.packs) return { kind: "small", loose, packs };
  await git([...modest, "repack", "--geometric=2", "-d", "-l", "--quiet"]);
  return { kind: "repacked", loose, packs };
}
