import type { Finding } from "#libs/rollouts";

import type { UnreadCampaign } from "../records/index.ts";
import type { UnreadHead } from "./list-unread-stops.ts";

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
