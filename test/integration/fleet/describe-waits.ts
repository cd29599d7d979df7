import { setTimeout as sleep } from "node:timers/promises";

import type { Bus } from "#libs/bus";
import type { FleetStatus } from "#libs/plan";

/** What the planner waits for, for the error of a test that timed out. */
export async function describeWaits(bus: Bus | undefined): Promise<string> {
  const entry = await bus?.bucket("status").get("fleet");
  if (entry?.value === undefined) return "no planner has written a status";
  const { wroteAt = 0, waiting, rollouts, clusters } = JSON.parse(entry.value) as FleetStatus;
  const seen = clusters.map(({ name, fresh, ageSeconds }) => `${name} ${fresh ? "fresh" : "stale"} ${ageSeconds} s`);
  const age = Math.round((Date.now() - wroteAt) / 1000);
  return `status of ${age} s ago: ${JSON.stringify({ waiting, rollouts, seen })}`;
}

export interface Waiting {
  readonly what: string;
  readonly isTrue: () => Promise<boolean> | boolean;
  readonly limitMs: number;
  readonly everyMs: number;
  /** Describes the present waits, for the error. */
  readonly describe: () => Promise<string>;
}

/** Polls until the condition holds, and throws when it does not within the limit. */
export async function waitUntil({ what, isTrue, limitMs, everyMs, describe }: Waiting): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`never: ${what}; ${await describe()}`);
    await sleep(everyMs);
  }
}
