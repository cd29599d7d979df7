import { createHash } from "node:crypto";

import { z } from "zod";

const item = z.object({ id: z.string(), line: z.string(), over: z.string().exactOptional() });
const group = z.object({ items: z.array(item), more: z.number().int(), seen: z.array(z.string()) });

/** One line of a grouped message. */
export interface GroupItem {
  /** Unique within its group. */
  readonly id: string;
  /** For people, in Slack's mrkdwn. */
  readonly line: string;
  /** How it ended; absent while it lasts. */
  readonly over?: string;
}

/** The content of a message that grows in place. It is stored with the message, so that any notifier can add to it. */
export interface Group {
  /** The first items, in order; ids are hashed. */
  readonly items: readonly GroupItem[];
  /** How many items came after those. */
  readonly more: number;
  /** Hashed ids of those, so that a repeated message is counted once. */
  readonly seen: readonly string[];
}

export const emptyGroup: Group = { items: [], more: 0, seen: [] };

/** A note has room for these. Beyond `mostSeen` a repeated message may be counted twice. */
const mostItems = 12;
const mostSeen = 200;

/** A short hash, because ids may be very long. */
function hashId(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 8);
}

/** The group with the item; the same object when it has it already. */
export function addItem(before: Group, { id, line }: GroupItem): Group {
  const hash = hashId(id);
  if (before.items.some((each) => each.id === hash) || before.seen.includes(hash)) return before;
  if (before.items.length < mostItems) return { ...before, items: [...before.items, { id: hash, line }] };
  return { ...before, more: before.more + 1, seen: [...before.seen, hash].slice(-mostSeen) };
}

/** Whether the group has the item and it is not over. */
export function hasOpenItem(within: Group, id: string): boolean {
  const hash = hashId(id);
  return within.items.some((each) => each.id === hash && each.over === undefined);
}

/** The group with the item marked as over; the same object where there is nothing to mark. */
export function endItem(before: Group, id: string, over: string): Group {
  if (!hasOpenItem(before, id)) return before;
  const hash = hashId(id);
  return { ...before, items: before.items.map((each) => (each.id === hash ? { ...each, over } : each)) };
}

export function countItems({ items, more }: Group): number {
  return items.length + more;
}

/** The group in a message's note; an unreadable note counts as empty. */
export function readGroup(note: string | undefined): Group {
  if (note === undefined) return emptyGroup;
  try {
    return group.safeParse(JSON.parse(note)).data ?? emptyGroup;
  } catch {
    // Not JSON: another version wrote it. The message is rewritten.
    return emptyGroup;
  }
}

export function printGroup(value: Group): string {
  return JSON.stringify(value);
}

/**
 * Failures with the same reason within this time share a message, ms by the services' clock; a later one gets a new message.
 */
const slotMs = 10 * 60_000;

/** Names the interval whose events of one kind share a message. */
export function nameSlot(iso: string, everyMs = slotMs): string {
  return String(Math.floor(Date.parse(iso) / everyMs));
}
