import type { Bus } from "#libs/bus";
import type { FleetStatus } from "#libs/plan";

/** What the planner says that it waits for, for a reader of a test that got stuck. */
export async function describeWaits(bus: Bus | undefined): Promise<string> {
  const entry = await bus?.bucket("status").get("fleet");
  if (entry?.value === undefined) return "no planner has written a status";
  const { wroteAt = 0, waitingFor, doing, clusters } = JSON.parse(entry.value) as FleetStatus;
  const seen = clusters.map(({ name, fresh, ageSeconds }) => `${name} ${fresh ? "fresh" : "stale"} ${ageSeconds} s`);
  const age = Math.round((Date.now() - wroteAt) / 1000);
  return `status of ${age} s ago: ${JSON.stringify({ waitingFor, doing, seen })}`;
}
