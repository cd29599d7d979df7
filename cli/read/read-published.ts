import type { Bus } from "#libs/bus";
import { readStatus } from "#libs/events";
import type { FleetStatus } from "#libs/plan";

/** A planner that has not written for this long is down, real ms: its last status is shown with its age. */
const silenceMs = 30_000;

/** The planner's own status; undefined when no planner has published one on this bus. */
export async function readPublished(bus: Bus): Promise<FleetStatus | undefined> {
  const entry = await bus.bucket("status").get("fleet");
  return entry?.value === undefined ? undefined : readStatus(entry.value);
}

/** False when its planner stopped writing. A status that was computed here is current. */
export function isCurrent({ wroteAt }: FleetStatus): boolean {
  return wroteAt === undefined || Date.now() - wroteAt < silenceMs;
}
