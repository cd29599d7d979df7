import { type Scm, ScmRefused, type Permission, type PullRequest, type Review } from "#libs/scm";
import { asksForJudging, type PermissionFact, type Snapshot } from "#libs/plan";
import type { Clock } from "#libs/runtime";

/** A right is requested again after so long, real ms: one that was taken away must not count on. */
const freshMs = 60_000;

/** What reviewers may do now, by login in lower case. */
export type Permissions = ReadonlyMap<string, PermissionFact>;

export interface PermissionReader {
  read(scm: Scm, pull: PullRequest, reviews: readonly Review[], snapshot: Snapshot): Promise<Permissions>;
}

/** True when some rule of main lets an author agree to their own work. */
function letsAuthorsAgree({ specs, main, ledger }: Snapshot): boolean {
  const spec = specs.get(main.head) ?? specs.get(ledger?.judged ?? "");
  if (spec === undefined) return false;
  const stages = [...spec.campaigns.values()].flatMap((campaign) => campaign.stages);
  return [spec.settings, ...stages.map(({ settings }) => settings)].some(({ approvals }) => approvals.allowAuthor);
}

/** A comment says nothing, and machines and accounts that are gone do not count: their rights are not asked for. */
function listLogins(pull: PullRequest, reviews: readonly Review[], snapshot: Snapshot): ReadonlySet<string> {
  const words = reviews.filter((review) => {
    const { state, bot, author: reviewer } = review;
    const isWord = state === "approved" || state === "changesRequested";
    return (isWord || (pull.fork === true && asksForJudging(review))) && bot !== true && reviewer !== "ghost";
  });
  const author = letsAuthorsAgree(snapshot) ? [pull.author] : [];
  return new Set([...words.map((review) => review.author), ...author]);
}

async function request(scm: Scm, login: string): Promise<Permission> {
  try {
    return await scm.permissionOf(login);
  } catch (error) {
    // One account of which GitHub will not speak; one that is down ends the round.
    if (error instanceof ScmRefused) return "unknown";
    throw error;
  }
}

/** Rights to write are always asked for, whatever GitHub shows next to a review: members may have none. */
export function createPermissionReader(clock: Pick<Clock, "monotonic">): PermissionReader {
  const known = new Map<string, { readonly at: number; readonly permission: Permission }>();

  async function find(scm: Scm, login: string): Promise<Permission> {
    const key = login.toLowerCase();
    const before = known.get(key);
    if (before !== undefined && clock.monotonic() - before.at < freshMs) return before.permission;
    known.delete(key);
    const permission = await request(scm, login);
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
