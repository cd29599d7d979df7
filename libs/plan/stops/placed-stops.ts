/** Causes of stops that meshroll places by itself. */
const ownCauses: readonly string[] = ["failures", "gate", "jobFailed", "forcedPush", "otherCluster"];

/** Whether meshroll placed the stop without a request. A person who ends such a stop is shown first what will move. */
export function isPlacedByMeshroll({ cause }: { readonly cause?: string }): boolean {
  return cause !== undefined && ownCauses.includes(cause);
}

/** Whether one of the stops in force is a rollback of the same scope. */
export function isUnderRollback(
  { scope }: { readonly scope: string },
  stops: readonly { readonly scope: string; readonly cause?: string }[],
): boolean {
  return stops.some((stop) => stop.cause === "rollback" && stop.scope === scope);
}

/**
 * The stops that a resume ends, of those in force on its scope: the caller's own; without any, other people's; without any of
 * those, meshroll's.
 */
export function chooseResumed<T extends { readonly who: string; readonly cause?: string }>(
  stops: readonly T[],
  who: string,
): readonly T[] {
  const people = stops.filter((stop) => !isPlacedByMeshroll(stop));
  const own = people.filter((stop) => stop.who === who);
  if (own.length > 0) return own;
  return people.length > 0 ? people : stops;
}
