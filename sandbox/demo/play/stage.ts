import type { FleetStatus } from "#libs/plan";

import type { Display } from "../display/display.ts";
import type { FleetWatch } from "../story/follow-fleet.ts";
import { withinPatience } from "./patience.ts";
import type { Services } from "../world/start-services.ts";
import type { DemoEnvironment } from "../world/start-world.ts";
import type { Teller } from "../display/teller.ts";

/** How it is played. */
export interface DemoOptions {
  /** Plays the people too. */
  readonly yes: boolean;
  /** Wipes Redis and NATS in the middle of the run, and once more while it is stopped. */
  readonly wipe: boolean;
  /** The stage that fails is rolled back and proposed again, as with `wipe`; default: what failed is tried again where it is. */
  readonly goesBack?: boolean;
  readonly signal: AbortSignal;
  /** Told how to take the planted fault away. */
  readonly onPlanted: (fix: () => void) => void;
}

/** Everything the parts of the demo play with. */
export interface Stage {
  readonly environment: DemoEnvironment;
  readonly display: Display;
  readonly options: DemoOptions;
  readonly services: Services;
  readonly watch: FleetWatch;
  readonly teller: Teller;
  /** What meshroll has written to workloads and namespaces of others so far. */
  readonly listWrites: () => readonly string[];
}

/** What moves in a fleet that goes on: not its clock, nor how old something is. */
function printProgress(status: FleetStatus | undefined): string {
  if (status === undefined) return "";
  const { main, runs, stops, campaigns, clusters } = status;
  const counts = runs.map(({ id, migrated, migrating, skippedTotal }) => [id, migrated, migrating, skippedTotal]);
  const staged = campaigns?.map(({ state, stage, bake, pull }) => [
    state,
    stage?.name,
    bake?.healthySeconds,
    pull?.number,
  ]);
  return JSON.stringify([main.head, counts, stops.map(({ id }) => id), staged, clusters.map(({ fresh }) => fresh)]);
}

/** Until it holds, unless a service dies; without `--yes` people may take all the time they want. */
export async function until(
  stage: Stage,
  what: string,
  isTrue: (status: FleetStatus) => boolean,
): Promise<FleetStatus> {
  const { watch, options, services, environment } = stage;
  const seen = Promise.race([watch.until(isTrue, options.signal), services.died]);
  const { folder } = environment;
  if (!options.yes) return seen;
  return withinPatience(seen, { what, folder, printProgress: () => printProgress(watch.status()) });
}
