import { isReadable, listDistributions, seedOf } from "./assignment.ts";
import type { AuditedCommit } from "../evidence/evidence.ts";

/** The patterns that one commit changed, and which of them it set back to what main had before. */
export interface Change {
  readonly commit: AuditedCommit;
  readonly forward: ReadonlySet<string>;
  readonly back: ReadonlySet<string>;
}

/** One pattern's distributions that main has had, oldest first; "" where the file did not name it. */
type Past = readonly string[];

/** What setting a pattern to `next` does to its past: back cuts the list there, any other appends. */
function step(past: Past, next: string): { readonly past: Past; readonly isBack: boolean } {
  const found = past.indexOf(next);
  return found === -1 ? { past: [...past, next], isBack: false } : { past: past.slice(0, found + 1), isBack: true };
}

/** Judges each readable commit after the first: forward or a return, pattern by pattern. */
export function listChanges(main: readonly AuditedCommit[]): readonly Change[] {
  const [first, ...later] = main.filter(({ rollouts }) => isReadable(rollouts));
  if (first === undefined) return [];
  let before = listDistributions(first.rollouts);
  let seed = seedOf(first.settings);
  let pasts = new Map<string, Past>([...before].map(([pattern, text]) => [pattern, [text]]));
  return later.map((commit) => {
    const now = listDistributions(commit.rollouts);
    // A new seed deals everybody anew: what main had before is no earlier answer any more.
    if (seedOf(commit.settings) !== seed) pasts = new Map();
    seed = seedOf(commit.settings);
    const forward = new Set<string>();
    const back = new Set<string>();
    for (const pattern of new Set([...before.keys(), ...now.keys()])) {
      const next = now.get(pattern) ?? "";
      const past = pasts.get(pattern) ?? [before.get(pattern) ?? ""];
      if (next === past.at(-1)) continue;
      const { past: kept, isBack } = step(past, next);
      pasts.set(pattern, kept);
      (isBack ? back : forward).add(pattern);
    }
    before = now;
    return { commit, forward, back };
  });
}
