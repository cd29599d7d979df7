import { showUnprintable } from "#libs/input";
import type { FleetStatus } from "#libs/plan";
import { z } from "zod";

/** Longer texts in a status are cut. */
const longestText = 4000;

/** For `JSON.stringify` and `JSON.parse`: no text controls a terminal, and none is very long. */
export function cleanText(_: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const shown = showUnprintable(value).replaceAll("\n", "\\n");
  return shown.length <= longestText ? shown : `${shown.slice(0, longestText - 1).toWellFormed()}…`;
}

const count = z.number();
const entry = z.looseObject({});
const wait = z.looseObject({ scope: z.string(), code: z.string(), message: z.string(), owner: z.string() });

/** Fields that every reader relies on. Fields may be added; those of v1 never change. */
const status = z.looseObject({
  apiVersion: z.literal("meshroll.dev/v1"),
  kind: z.literal("FleetStatus"),
  at: z.string(),
  wroteAt: count.exactOptional(),
  main: z.looseObject({ head: z.string(), ageSeconds: count.exactOptional() }),
  state: z.string(),
  where: z.array(entry),
  rollouts: z.array(entry),
  waiting: z.array(wait),
  runs: z.array(z.looseObject({ id: z.string() })),
  clusters: z.array(z.looseObject({ name: z.string() })),
  stops: z.array(z.looseObject({ id: z.string(), scope: z.string() })),
});

/** KV `status`, key `fleet`, without control characters for terminals, pages and logs. */
export function printStatus(value: FleetStatus): string {
  return JSON.stringify(value, cleanText);
}

/** Undefined for anything but a status. Its texts are cleaned again, because other clients may write to the bus. */
export function readStatus(text: string): FleetStatus | undefined {
  try {
    const parsed: unknown = JSON.parse(text, cleanText);
    // The schema checks only these fields; the rest is the planner's own and is used as it is.
    return status.safeParse(parsed).success ? (parsed as FleetStatus) : undefined;
  } catch {
    // Not JSON: a torn write; the next one is whole.
    return undefined;
  }
}
