import type { MergeOutcome, PullRequest } from "#libs/scm";
import type { RefusedMerge } from "#libs/wording";

import type { ScmLink } from "./scm-link.ts";

/** A head that GitHub refused is not tried again for so long, real ms; a new head of the same branch is tried at once. */
const tryAgainMs = 60_000;

/** Refusals by head, with the moment at which another try may be made. */
export type Refusals = Map<string, RefusedMerge & { readonly until: number }>;

/** GitHub refused this head for what main has and it has not: it gets that, and the new head is judged again. */
export function isRefusedAsOld(refusals: Refusals, head: string | undefined): boolean {
  const refused = head === undefined ? undefined : refusals.get(head);
  return refused?.demands?.some(({ code }) => code === "BranchBehind") === true;
}

/** What a wait tells of it. */
export function pickRefusal({ why, demands }: RefusedMerge): RefusedMerge {
  return { why, ...(demands === undefined ? {} : { demands }) };
}

/** One try a minute for a head: in between GitHub's last word stands. */
export async function tryMerge(
  link: ScmLink,
  pull: PullRequest,
  refusals: Refusals,
  now: number,
): Promise<MergeOutcome> {
  const before = refusals.get(pull.headSha);
  if (before !== undefined && now < before.until) return { kind: "refused", ...pickRefusal(before) };
  const outcome = await link.scm.merge(pull.number, pull.headSha);
  if (outcome.kind === "refused") refusals.set(pull.headSha, { ...pickRefusal(outcome), until: now + tryAgainMs });
  else refusals.delete(pull.headSha);
  return outcome;
}
