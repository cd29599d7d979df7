/** What a run's workloads are made of; `listed` and `leftover` are absent where there are none. */
interface RunParts {
  readonly workloads: number;
  /** Named by the list of its pull request. */
  readonly listed?: number;
  /** Left over by an earlier stage. */
  readonly leftover?: number;
}

/**
 * Why a run counts another number of workloads than its pull request listed; "" where it is the same one. What changed since the
 * list was made is a difference: as many came, or were there already, as it is more.
 */
export function printRunParts({ workloads, listed, leftover = 0 }: RunParts): string {
  if (listed === undefined) return leftover === 0 ? "" : `${leftover} left over by an earlier stage`;
  const others = workloads - listed - leftover;
  if (leftover === 0 && others === 0) return "";
  return [
    `${listed} listed`,
    ...(leftover === 0 ? [] : [`${leftover} left over by an earlier stage`]),
    ...(others === 0 ? [] : [others > 0 ? `${others} more than listed` : `${-others} fewer than listed`]),
  ].join(", ");
}
