/** Which merges GitHub has computed. A question for another one begins its computation, and has no answer yet. */
export interface ComputedMerges {
  /** A read asks: true when the answer is there. */
  ask(base: string, head: string): boolean;
  /** True when the answer is there; nothing begins. */
  isKnown(base: string, head: string): boolean;
  /** A merge computes it at once. */
  note(base: string, head: string): void;
}

/** `late`: the first read of a new head or base has no answer, and the next has. `now`: all have. */
export function createComputedMerges(when: "late" | "now" = "late"): ComputedMerges {
  const known = new Set<string>();
  const isKnown = (base: string, head: string): boolean => when === "now" || known.has(`${base} ${head}`);
  const note = (base: string, head: string): void => void known.add(`${base} ${head}`);
  return {
    isKnown,
    note,
    ask(base, head) {
      const answer = isKnown(base, head);
      note(base, head);
      return answer;
    },
  };
}
