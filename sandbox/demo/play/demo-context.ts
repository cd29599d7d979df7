import type { FleetStatus } from "#libs/plan";

import type { Display } from "../display/display.ts";
import type { FleetWatch } from "../story/follow-fleet.ts";
import { withinPatience } from "./patience.ts";
import type { Services } from "../world/start-services.ts";
import type { DemoEnvironment } from "../world/start-world.ts";
import type { StepSuggester } from "../display/step-suggester.ts";

/** How the demo is played. */
export interface DemoOptions {
  /** Plays the people too. */
  readonly yes: boolean;
  /** Wipes Redis and NATS in the middle of the run, and again while it is stopped. */
  readonly wipe: boolean;
  /** The stage that fails is rolled back and proposed again, as with `wipe`. Default: what failed is retried. */
  readonly rollsBack?: boolean;
  /** Called before people look at a pull request. */
  readonly onReview?: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Receives the function that removes the planted fault. */
  readonly onPlanted: (fix: () => void) => void;
}

/** What the parts of the scenario use. */
export interface DemoContext {
  readonly environment: DemoEnvironment;
  readonly display: Display;
  readonly options: DemoOptions;
  readonly services: Services;
  readonly watch: FleetWatch;
  readonly suggester: StepSuggester;
  /** Writes of meshroll so far, except those to its own namespace. */
  readonly listWrites: () => readonly string[];
}

/** The parts of a status that change with progress: no times and ages. */
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

/**
 * Resolves with the first status for which `isTrue` holds; rejects when a service dies. With `yes` it rejects without progress;
 * people may take as long as they want.
 */
export async function until(
  context: DemoContext,
  what: string,
  isTrue: (status: FleetStatus) => boolean,
): Promise<FleetStatus> {
  const { watch, options, services, environment } = context;
  const seen = Promise.race([watch.until(isTrue, options.signal), services.died]);
  const { folder } = environment;
  if (!options.yes) return seen;
  return withinPatience(seen, { what, folder, printProgress: () => printProgress(watch.status()) });
}
