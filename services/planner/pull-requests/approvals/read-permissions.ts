import { type Scm, ScmRefused, type Permission, type PullRequest, type Review } from "#libs/scm";
import { asksForJudging, type PermissionFact, type Snapshot } from "#libs/plan";
import type { Clock } from "#libs/runtime";

/** How long a permission counts before it is read again, real ms. */
const freshMs = 60_000;

/** What reviewers may do now, by login in lower case. */
export type Permissions = ReadonlyMap<string, PermissionFact>;

export interface PermissionReader {
  read(scm: Scm, pull: PullRequest, reviews: readonly Review[], snapshot: Snapshot): Promise<Permissions>;
}

/** True when a rule of main lets authors approve their own work. */
function letsAuthorsAgree({ specs, main, ledger }: Snapshot): boolean {
  const spec = specs.get(main.head) ?? specs.get(ledger?.judged ?? "");
  if (spec === undefined) return false;
  const stages = [...spec.campaigns.values()].flatMap((campaign) => campaign.stages);
  return [spec.settings, ...stages.map(({ settings }) => settings)].some(({ approvals }) => approvals.allowAuthor);
}

/** The accounts whose permissions matter: not those of plain comments, machines or deleted accounts. */
function listLogins(pull: PullRequest, reviews: readonly Review[], snapshot: Snapshot): ReadonlySet<string> {
  const counting = reviews.filter((review) => {
    const { state, bot, author: reviewer } = review;
    const isVerdict = state === "approved" || state === "changesRequested";
    return (isVerdict || (pull.fork === true && asksForJudging(review))) && bot !== true && reviewer !== "ghost";
  });
  const author = letsAuthorsAgree(snapshot) ? [pull.author] : [];
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
