import type { Campaign } from "#libs/campaign";

import type { Spec, UnreadCampaign } from "../records/index.ts";

/** Earlier versions of campaigns whose files cannot be read now. */
export interface LastCampaigns {
  /** As they were when they last parsed. */
  readonly campaigns: readonly Campaign[];
  /** All held campaigns: those of the commit itself, and those whose file may be the unreadable one, renamed. */
  readonly unread: readonly UnreadCampaign[];
}

/**
 * The files of a commit completed by earlier versions of its unreadable campaigns: their buckets, exclusions, windows and gates
 * still apply. A readable campaign takes precedence.
 */
export function completeSpec(spec: Spec, last: LastCampaigns): Spec {
  const kept = last.campaigns.filter(({ name }) => !spec.campaigns.has(name));
  const all = [...spec.campaigns.values(), ...kept].toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return { ...spec, campaigns: new Map(all.map((one) => [one.name, one])), unread: last.unread };
}
