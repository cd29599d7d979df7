import type { Finding } from "#libs/spec";

import type { UnreadHead } from "./list-unread-stops.ts";
import type { UnreadCampaign } from "./unread-campaign.ts";

/** What a merge would break, and what it changes without putting it right: not what main has already. */
export interface NewlyUnread {
  readonly campaigns: readonly UnreadCampaign[];
  /** Why none of the campaigns is read any more. */
  readonly folder: Finding | undefined;
}

/** `changed`: paths that the merge changes; undefined `before` = main does not parse, so all of it is new. */
export function listNewlyUnread(
  before: UnreadHead | undefined,
  { unread = [], unreadFolder }: UnreadHead,
  changed: readonly string[],
): NewlyUnread {
  const known = new Set(before?.unread?.map(({ file }) => file));
  return {
    campaigns: unread.filter(({ file }) => changed.includes(file) || !known.has(file)),
    folder: before?.unreadFolder === undefined ? unreadFolder : undefined,
  };
}
