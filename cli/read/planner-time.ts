import type { FleetStatus } from "#libs/plan";

import type { FleetOptions } from "./fleet-source.ts";
import { isCurrent, readPublished } from "./read-published.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { BusDown, findBus, withBus } from "./with-bus.ts";

/**
 * Epoch ms by the planner's clock, which judges `until` and the order of stops; this machine's clock while no planner is heard.
 * A demo's time runs faster.
 */
export function readPlannerTime(status: FleetStatus | undefined): number {
  const wroteAt = status?.wroteAt;
  if (status === undefined || wroteAt === undefined || !isCurrent(status)) return Date.now();
  return Date.parse(status.at) + Math.max(0, Date.now() - wroteAt);
}

/** Epoch ms of the clock that judges windows: the planner's where one is heard, else this machine's. */
export async function readNow(options: FleetOptions, terminal: Terminal): Promise<number> {
  const place = options.kubeconfig === undefined ? findBus(options, terminal) : undefined;
  if (place === undefined) return Date.now();
  try {
    return readPlannerTime(await withBus(place, readPublished));
  } catch (error) {
    if (error instanceof BusDown) return Date.now();
    throw error;
  }
}
