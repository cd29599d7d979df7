import { formatVersion } from "#libs/input";
import { z } from "zod";

import { commitId, ownVersion, instant, line, readJson, recordId, word } from "../forms.ts";

/** A value of the bus ends at 1 MiB. */
const mostCharacters = 1 << 20;

const state = { since: instant, told: z.boolean() };
const wait = z.object({
  ...state,
  scope: line(500),
  code: word(100),
  message: line(2000),
  owner: line(200),
  command: line(2000).exactOptional(),
  until: instant.exactOptional(),
});
const away = z.object({ ...state, cluster: line(100) });
const notifications = z.object({
  version: ownVersion,
  ledger: commitId.exactOptional(),
  waits: z.array(wait),
  away: z.array(away),
  overdue: z.array(recordId),
});

/**
 * KV `status`, key `notifications`: what the planner has announced to people, so that the next one announces nothing twice and
 * no end is missed.
 */
export interface Notifications {
  /** The newest commit of the ledger whose events the bus took, with all before it; absent = none yet. */
  readonly ledger?: string;
  /** Waits that stand: since when, and whether people were notified. */
  readonly waits: readonly z.infer<typeof wait>[];
  /** Clusters that are not seen. */
  readonly away: readonly z.infer<typeof away>[];
  /** Ids of stops whose owners were asked. */
  readonly overdue: readonly string[];
}

export function printNotifications(value: Notifications): string {
  return JSON.stringify({ version: formatVersion, ...value });
}

/** Undefined for anything that is not ours: then the planner tells as one that starts for the first time. */
export function readNotifications(text: string): Notifications | undefined {
  const read = readJson(notifications, text, mostCharacters);
  return read.ok ? read.value : undefined;
}
