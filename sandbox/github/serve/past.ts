import type { Hub } from "../state/hub.ts";

/** What reads see: records and branches. */
type View = Pick<Hub, "state" | "branches">;

/** Earlier states, for reads that a server answers which has not heard of the last writes. */
export interface Past {
  /** Begins to keep states: each costs a copy of all records. */
  keep(): void;
  /** A write, or a push that was found, begins now. */
  note(hub: Hub, now: number): void;
  /** What the repository was like at a time, epoch ms; undefined: as it is now. */
  find(at: number): View | undefined;
}

interface Kept {
  readonly writtenAt: number;
  readonly before: View;
}

const mostKept = 500;

function copy(hub: Hub): View {
  const nextId = (): number => hub.state.nextId();
  const records = structuredClone({ ...hub.state, nextId: undefined });
  const known = hub.branches();
  return { state: { ...records, nextId }, branches: () => known };
}

export function createPast(): Past {
  const kept: Kept[] = [];
  let isKept = false;
  return {
    keep: () => void (isKept = true),
    note(hub, now) {
      if (!isKept) return;
      kept.push({ writtenAt: now, before: copy(hub) });
      if (kept.length > mostKept) kept.shift();
    },
    find: (at) => kept.find(({ writtenAt }) => writtenAt > at)?.before,
  };
}
