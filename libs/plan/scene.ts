import { type Survey, surveyFleet } from "./judge-fleet.ts";
import type { LedgerState } from "./ledger-state.ts";
import { type ActiveStop, collectStops } from "./stops.ts";
import type { Spec, World } from "./world.ts";

/** Everything that steps look at, once main and the ledger are known to be good. */
export interface Scene {
  readonly world: World;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly survey: Survey;
  /** From all four places. */
  readonly stops: readonly ActiveStop[];
}

/** Where everybody stands by the files of this commit; undefined while they were not read. */
export function setScene(world: World, ledger: LedgerState, commit: string): Scene | undefined {
  const spec = world.specs.get(commit);
  if (spec === undefined) return undefined;
  const stops = collectStops(ledger, world.asks, world.clusters.values(), spec);
  return { world, ledger, head: spec, survey: surveyFleet(world, spec), stops };
}
