import { formatVersion } from "#libs/input";
import { z } from "zod";

import { commitId, ownVersion, instant, line, readJson, recordId, word } from "../forms.ts";

/** A value of the bus is below 1 MiB. */
const mostCharacters = 1 << 20;

const announced = { since: instant, told: z.boolean() };
const wait = z.object({
  ...announced,
  scope: line(500),
  code: word(100),
  message: line(2000),
  owner: line(200),
  command: line(2000).exactOptional(),
  until: instant.exactOptional(),
});
const away = z.object({ ...announced, cluster: line(100) });
const notifications = z.object({
  version: ownVersion,
  ledger: commitId.exactOptional(),
  waits: z.array(wait),
  away: z.array(away),
  overdue: z.array(recordId),
});

/**
 * KV `status`, key `notifications`: what the planner has announced to people, so that its successor announces nothing twice and
 * misses no end.
 */
export interface Notifications {
  /** The newest ledger commit whose events, and all earlier ones, are on the bus; absent: none. */
  readonly ledger?: string;
  /** Present waits: since when, and whether people were notified. */
  readonly waits: readonly z.infer<typeof wait>[];
  /** Clusters that are not seen. */
  readonly away: readonly z.infer<typeof away>[];
  /** Ids of overdue stops whose owners were notified. */
  readonly overdue: readonly string[];
}

export function printNotifications(value: Notifications): string {
  return JSON.stringify({ version: formatVersion, ...value });
}

/** Undefined for anything that is not ours: the planner then announces as on its first start. */
export function readNotifications(text: string): Notifications | undefined {
  const read = readJson(notifications, text, mostCharacters);
  return read.ok ? read.value : undefined;
}
