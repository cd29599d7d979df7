import type { RolloutsRepository } from "#libs/git";
import type { PullRequest } from "#libs/scm";
import { readSpecTexts } from "#libs/repository";
import { campaignsFolder, isReadPath } from "#libs/plan";

import type { ReadPull } from "../judging/port.ts";
import { limitTexts, listLarge, type ReviewedBytes } from "./limit-texts.ts";

/** What a pull request would leave on main, and the paths that it changes; no paths for a conflict. */
export interface MergedPull {
  readonly read: ReadPull;
  readonly changed: readonly string[];
}

function isCampaign(path: string): boolean {
  return path.startsWith(`${campaignsFolder}/`);
}

/** Sizes on main, bytes, of changed files that are larger than 64 KiB. */
async function readReviewed(
  repository: RolloutsRepository,
  main: string,
  files: readonly string[],
): Promise<ReviewedBytes> {
  const sizes = files.map(async (file) => {
    const text = await repository.read(main, file);
    return [file, text === undefined ? 0 : Buffer.byteLength(text)] as const;
  });
  return new Map(await Promise.all(sizes));
}

async function readOnce(repository: RolloutsRepository, main: string, pull: PullRequest): Promise<MergedPull> {
  const head = pull.headSha;
  await repository.fetchPullRequest(pull.number, head);
  const trial = await repository.tryMerge(main, head, [campaignsFolder]);
  if (trial.kind === "conflict") return { read: { kind: "conflict", paths: trial.paths }, changed: [] };
  const { changed } = trial;
  if (!changed.some(isReadPath)) return { read: { kind: "untouched" }, changed };
  const texts = await readSpecTexts({
    read: async (path) => repository.readMerged(main, head, path),
    list: async (folder) => repository.listMerged(main, head, folder),
  });
  const reviewed = await readReviewed(repository, main, listLarge(texts, changed));
  const limited = limitTexts(texts, changed, reviewed);
  return { read: { kind: "files", texts: limited, campaigns: changed.filter(isCampaign), changed }, changed };
}

/** Reads the files that meshroll reads as the merge of a pull request into main would leave them. */
export interface MergedReader {
  read(repository: RolloutsRepository, main: string, pull: PullRequest): Promise<MergedPull>;
  /** Forgets all heads but these open ones. */
  retain(heads: ReadonlySet<string>): void;
}

/** Most characters of texts and paths that are kept for the next round: a thousand pull requests may have gigabytes. */
const mostKept = 32 * 1024 * 1024;

function weigh({ read, changed }: MergedPull): number {
  const names = changed.reduce((sum, path) => sum + path.length, 200);
  if (read.kind !== "files") return names;
  const { rollouts = "", settings = "", campaigns } = read.texts;
  return [rollouts, settings, ...Object.values(campaigns)].reduce((sum, text) => sum + text.length, names);
}

interface Kept {
  readonly head: string;
  readonly merged: MergedPull;
}

/** Caches by main and head, up to a limit; what was dropped is read again. */
export function createMergedReader(): MergedReader {
  const known = new Map<string, Kept>();
  let weight = 0;

  function drop(key: string): void {
    const kept = known.get(key);
    if (kept === undefined) return;
    known.delete(key);
    weight -= weigh(kept.merged);
  }

  function add(key: string, kept: Kept): void {
    drop(key);
    known.set(key, kept);
    weight += weigh(kept.merged);
    for (const oldest of known.keys()) {
      if (weight <= mostKept || oldest === key) break;
      drop(oldest);
    }
  }

  return {
    async read(repository, main, pull) {
      const key = `${main} ${pull.headSha}`;
      const merged = known.get(key)?.merged ?? (await readOnce(repository, main, pull));
      add(key, { head: pull.headSha, merged });
      return merged;
    },
    retain(heads) {
      for (const [key, each] of known) if (!heads.has(each.head)) drop(key);
    },
  };
}
