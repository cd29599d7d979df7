import type { Campaign } from "#libs/campaign";

import type { Spec, UnreadCampaign } from "../records/index.ts";

/** What main's history says of campaigns whose files cannot be read now. */
export interface LastCampaigns {
  /** As they were when they parsed last. */
  readonly campaigns: readonly Campaign[];
  /** All that are held: those of the commit itself, and those that may be meant by a file that cannot be read. */
  readonly unread: readonly UnreadCampaign[];
}

/**
 * The files of a commit with what was known of its unread campaigns: which buckets are theirs, whom they exclude, by which
 * windows and gates their runs go. Nothing of it falls away because a file cannot be read; a campaign that can be wins.
 */
export function completeSpec(spec: Spec, last: LastCampaigns): Spec {
  const kept = last.campaigns.filter(({ name }) => !spec.campaigns.has(name));
  const all = [...spec.campaigns.values(), ...kept].toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return { ...spec, campaigns: new Map(all.map((one) => [one.name, one])), unread: last.unread };
}
