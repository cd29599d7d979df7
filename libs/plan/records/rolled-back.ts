import type { RunRecord } from "./ledger-state.ts";

type Changed = Pick<RunRecord, "order" | "changes">;

/** Whether later runs took back everything that it changed, or are about to. */
export function wasRolledBack({ order, changes }: Changed, all: readonly Changed[]): boolean {
  const later = all.filter((other) => other.order > order).flatMap((other) => other.changes);
  const isTakenBack = ({ pattern, from, to }: Changed["changes"][number]): boolean =>
    later.some(
      (change) =>
        change.pattern === pattern && change.direction === "rollback" && change.from === to && change.to === from,
    );
  return changes.length > 0 && changes.every(isTakenBack);
}
