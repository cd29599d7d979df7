import type { Clock } from "#libs/runtime";

/** Heads, and when this process first saw each: what a notice counts from where GitHub does not report when it was pushed. */
export interface FirstSeen {
  /** Epoch ms of the time people live in. */
  since(head: string): number;
  /** Forgets heads that no open pull request has any more. */
  keep(heads: ReadonlySet<string>): void;
}

export function createFirstSeen(clock: Pick<Clock, "now">): FirstSeen {
  const seen = new Map<string, number>();
  return {
    since(head) {
      const first = seen.get(head) ?? clock.now();
      seen.set(head, first);
      return first;
    },
    keep(heads) {
      for (const head of seen.keys()) if (!heads.has(head)) seen.delete(head);
    },
  };
}
