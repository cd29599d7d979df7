import { readPlannerTime } from "../caller.ts";
import type { FleetOptions } from "./fleet-source.ts";
import { readPublished } from "./read-published.ts";
import type { Terminal } from "../terminal.ts";
import { BusDown, findBus, withBus } from "./with-bus.ts";

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
