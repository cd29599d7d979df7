/** Figures of an ended run; `failed` is a part of `skipped`, and `left` had not moved when a later run took over. */
export interface EndCounts {
  readonly migrated: number;
  readonly idle?: number;
  readonly skipped: number;
  readonly failed?: number;
  readonly left?: number;
}

/** `331 migrated, 39 skipped (28 failed), 15 not moved`. */
export function printEndCounts({ migrated, idle = 0, skipped, failed = 0, left = 0 }: EndCounts): string {
  return [
    `${migrated} migrated`,
    ...(idle === 0 ? [] : [`${idle} idle`]),
    `${skipped} skipped${failed === 0 ? "" : ` (${failed} failed)`}`,
    ...(left === 0 ? [] : [`${left} not moved`]),
  ].join(", ");
}

/** `run A`, `runs A, B`. */
export function nameRuns(ids: readonly string[]): string {
  return `${ids.length === 1 ? "run" : "runs"} ${ids.join(", ")}`;
}

/** How another run ended this one. `by`: its id. */
export function nameTakeover(by: string, isRolledBack: boolean): string {
  return `${isRolledBack ? "rolled back" : "superseded"} by run ${by}`;
}
