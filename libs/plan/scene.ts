import type { Survey } from "./judge-fleet.ts";
import type { LedgerState } from "./ledger-state.ts";
import type { ActiveStop } from "./stops.ts";
import type { Spec, World } from "./world.ts";

/** Everything that steps look at, once main and the ledger are known to be good. */
export interface Scene {
  readonly world: World;
  readonly ledger: LedgerState;
  readonly head: Spec;
  readonly survey: Survey;
  /** From all three places. */
  readonly stops: readonly ActiveStop[];
}
