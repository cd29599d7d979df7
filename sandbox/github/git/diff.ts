import type { BareRepository } from "./bare-repository.ts";
import { type ChangedFile, listChanged } from "./list-changed.ts";

/** One changed file between the merge base and a head. */
export interface FileDiff {
  readonly path: string;
  readonly status: "added" | "modified" | "removed";
  readonly additions: number;
  readonly deletions: number;
  /** Blob of the new side; of the old one when removed. */
  readonly sha: string;
  readonly patch: string;
}

/** What a head adds to a base. */
export interface Diff {
  readonly files: readonly FileDiff[];
  readonly commits: number;
}

export type Diffs = (base: string, head: string) => Promise<Diff>;

const statuses: Readonly<Record<string, FileDiff["status"]>> = { A: "added", D: "removed" };

function parsePatches(text: string): ReadonlyMap<string, string> {
  const patches = new Map<string, string>();
  for (const part of text.split(/^diff --git /m).slice(1)) {
    // A name with a space is ended by a tab.
    const path = /^(?:\+\+\+ b|--- a)\/(.*?)\t?$/m.exec(part.replace(/^\+\+\+ \/dev\/null$/m, ""))?.[1];
    const start = part.indexOf("\n@@");
    if (path !== undefined && start >= 0) patches.set(path, part.slice(start + 1).trimEnd());
  }
  return patches;
}

function countLines(patch: string, sign: string): number {
  return patch.split("\n").filter((line) => line.startsWith(sign)).length;
}

/** What changed of a file, and its patch. */
function toFileDiff({ path, letter, before, after }: ChangedFile, patch: string): FileDiff {
  const status = statuses[letter] ?? "modified";
  const counts = { additions: countLines(patch, "+"), deletions: countLines(patch, "-") };
  return { path, status, ...counts, sha: status === "removed" ? before : after, patch };
}

/** GitHub shows the patches of so many files. */
const mostPatches = 300;

async function readDiff(repository: BareRepository, base: string, head: string): Promise<Diff> {
  const from = (await repository.mergeBase(base, head)) ?? base;
  const changed = await listChanged(repository, from, head);
  const flags = ["-r", "--no-renames", "--no-color", "--no-ext-diff", "--full-index"];
  const shown = changed.slice(0, mostPatches).map(({ path }) => path);
  const text = ["-c", "core.quotePath=false", "diff-tree", "-p", ...flags, from, head, "--", ...shown];
  const patches = parsePatches(shown.length === 0 ? "" : await repository.git(text));
  const files = changed.map((each) => toFileDiff(each, patches.get(each.path) ?? ""));
  return { files, commits: Number(await repository.git(["rev-list", "--count", head, `^${base}`])) };
}

/** Two commits differ the same for ever, so each pair is read once. */
export function createDiffs(repository: BareRepository): Diffs {
  const known = new Map<string, Promise<Diff>>();
  return async (base, head) => {
    const key = `${base} ${head}`;
    const answer = known.get(key) ?? readDiff(repository, base, head);
    known.set(key, answer);
    return answer;
  };
}
