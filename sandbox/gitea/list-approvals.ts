import type { GiteaAccounts } from "./accounts.ts";

/** A person's approval of a head, at epoch ms; Gitea tells whole seconds. */
export interface SeenApproval {
  readonly head: string;
  readonly by: string;
  readonly at: number;
}

interface ShownReview {
  readonly state: string;
  readonly commit_id: string;
  readonly submitted_at: string;
  readonly user: { readonly login: string };
}

/** So many entries are on one page of Gitea's lists. */
const pageSize = 50;

async function listAll(accounts: GiteaAccounts, path: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await accounts.ask("root", "GET", `${path}limit=${pageSize}&page=${page}`);
    const shown = body as readonly unknown[];
    found.push(...shown);
    if (shown.length < pageSize) return found;
  }
}

/** All approvals of the pull requests of a repository, dismissed ones included. */
export async function listApprovals(accounts: GiteaAccounts, place: string): Promise<readonly SeenApproval[]> {
  const pulls = (await listAll(accounts, `/repos/${place}/pulls?state=all&`)) as readonly { readonly number: number }[];
  const reviews: ShownReview[] = [];
  for (const { number } of pulls)
    reviews.push(...((await listAll(accounts, `/repos/${place}/pulls/${number}/reviews?`)) as readonly ShownReview[]));
  return reviews
    .filter(({ state }) => state === "APPROVED")
    .map(({ commit_id: head, user, submitted_at: at }) => ({ head, by: user.login, at: Date.parse(at) }));
}
