import { type Scm, ScmRefused, type Permission, type PullRequest, type Review } from "#libs/scm";
import { asksForJudging, type PermissionFact, type Snapshot } from "#libs/plan";
import type { Clock } from "#libs/runtime";

import { listApprovalRules } from "../reading/list-rules.ts";

/** How long a permission counts before it is read again, real ms. */
const freshMs = 60_000;

/** What reviewers may do now, by login in lower case. */
export type Permissions = ReadonlyMap<string, PermissionFact>;

export interface PermissionReader {
  read(scm: Scm, pull: PullRequest, reviews: readonly Review[], snapshot: Snapshot): Promise<Permissions>;
}

/** The accounts whose permissions matter: not those of plain comments, machines or deleted accounts. */
function listLogins(pull: PullRequest, reviews: readonly Review[], snapshot: Snapshot): ReadonlySet<string> {
  const counting = reviews.filter((review) => {
    const { state, bot, author: reviewer } = review;
    const isVerdict = state === "approved" || state === "changesRequested";
    return (isVerdict || (pull.fork === true && asksForJudging(review))) && bot !== true && reviewer !== "ghost";
  });
  const author = listApprovalRules(snapshot).some(({ allowAuthor }) => allowAuthor) ? [pull.author] : [];
  return new Set([...counting.map((review) => review.author), ...author]);
}

async function fetchPermission(scm: Scm, login: string): Promise<Permission> {
  try {
    return await scm.permissionOf(login);
  } catch (error) {
    // The SCM refuses to answer for this one account; an outage ends the round.
    if (error instanceof ScmRefused) return "unknown";
    throw error;
  }
}

/** The permission itself is read: what GitHub shows next to a review (member, owner) says nothing about the right to write. */
export function createPermissionReader(clock: Pick<Clock, "monotonic">): PermissionReader {
  const known = new Map<string, { readonly at: number; readonly permission: Permission }>();

  async function find(scm: Scm, login: string): Promise<Permission> {
    const key = login.toLowerCase();
    const before = known.get(key);
    if (before !== undefined && clock.monotonic() - before.at < freshMs) return before.permission;
    known.delete(key);
    const permission = await fetchPermission(scm, login);
    known.set(key, { at: clock.monotonic(), permission });
    return permission;
  }

  function forgetOld(): void {
    for (const [login, { at }] of known) if (clock.monotonic() - at >= freshMs) known.delete(login);
  }

  return {
    async read(scm, pull, reviews, snapshot) {
      forgetOld();
      const permissions = new Map<string, PermissionFact>();
      for (const login of listLogins(pull, reviews, snapshot))
        permissions.set(login.toLowerCase(), await find(scm, login));
      return permissions;
    },
  };
}
