import type { FleetStatus } from "#libs/plan";

type Wait = FleetStatus["waiting"][number];

/** The same wait in one or several places. */
export interface WaitGroup {
  readonly wait: Wait;
  readonly scopes: readonly string[];
}

/** Groups equal waits in several places. Pure. */
export function groupWaits(waits: readonly Wait[]): readonly WaitGroup[] {
  const groups = new Map<string, { readonly wait: Wait; readonly scopes: Set<string> }>();
  for (const wait of waits) {
    const key = JSON.stringify([wait.message, wait.until, wait.command]);
    const group = groups.get(key) ?? { wait, scopes: new Set<string>() };
    groups.set(key, group);
    group.scopes.add(wait.scope);
  }
  return [...groups.values()].map(({ wait, scopes }) => ({ wait, scopes: [...scopes] }));
}
