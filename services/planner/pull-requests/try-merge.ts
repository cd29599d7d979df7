import type { MergeOutcome, PullRequest } from "#libs/scm";
import type { RefusedMerge } from "#libs/wording";

import type { ScmLink } from "./scm-link.ts";

/** How long a refused or queued head is not tried again, real ms; another head of the branch is tried at once. */
const tryAgainMs = 60_000;

/** Refusals by head, and until when each counts, real monotonic ms; a queued head has no demands. */
export type Refusals = Map<string, RefusedMerge & { readonly until: number; readonly isQueued?: true }>;

/** True if the SCM refused this head because it lacks commits of main: then they are added, and the new head is judged. */
export function isRefusedAsBehind(refusals: Refusals, head: string | undefined): boolean {
  const refused = head === undefined ? undefined : refusals.get(head);
  return refused?.demands?.some(({ code }) => code === "BranchBehind") === true;
}

/**
 * True if the SCM refused this head because commits of it are not signed, and would sign one that is made now. Where git signs it
 * is false: a key that the SCM does not know would be used again each time.
 */
export async function isRefusedAsUnsigned(
  { scm, repository }: Pick<ScmLink, "scm" | "repository">,
  refusals: Refusals,
  head: string | undefined,
): Promise<boolean> {
  const refused = head === undefined || scm.signer === undefined ? undefined : refusals.get(head);
  const isUnsigned = refused?.demands?.some(({ code }) => code === "CommitsUnsigned") === true;
  return isUnsigned && !(await repository.signsCommits());
}

/** The fields that a wait shows. */
export function pickRefusal({ why, demands }: RefusedMerge): RefusedMerge {
  return { why, ...(demands === undefined ? {} : { demands }) };
}

/** Merges, at most once a minute for a head; in between the last outcome is returned. `pace`: as `Scm.merge` takes it. */
export async function tryMerge(
  link: ScmLink,
  pull: PullRequest,
  refusals: Refusals,
  now: number,
  pace?: "urgent",
): Promise<MergeOutcome> {
  const before = refusals.get(pull.headSha);
  if (before !== undefined && now < before.until)
    return before.isQueued === true ? { kind: "queued" } : { kind: "refused", ...pickRefusal(before) };
  const outcome = await link.scm.merge(pull.number, pull.headSha, pace);
  const until = now + tryAgainMs;
  if (outcome.kind === "refused") refusals.set(pull.headSha, { ...pickRefusal(outcome), until });
  else if (outcome.kind === "queued") refusals.set(pull.headSha, { why: "queued", isQueued: true, until });
  else refusals.delete(pull.headSha);
  return outcome;
}
