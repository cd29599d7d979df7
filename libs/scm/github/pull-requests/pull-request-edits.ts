import { isHidden } from "../../http/classify.ts";
import type { Scm, PullRequestDraft } from "../../port/port.ts";
import { toLogins } from "./pull-request.ts";
import { readPages } from "./read-pages.ts";
import type { Wire } from "../calls/wire.ts";

type Edits = Pick<Scm, "updatePullRequest" | "closePullRequest" | "addLabels" | "teamMembers">;

/** Edits, closes and labels pull requests, and reads who is in a team that may approve them. */
export function createPullRequestEdits({ octokit, call, here }: Wire): Edits {
  async function update(number: number, { title, body }: Pick<PullRequestDraft, "title" | "body">): Promise<boolean> {
    const query = { ...here, pull_number: number };
    const { data } = await octokit.rest.pulls.get(query);
    // GitHub keeps line ends as the browser sent them.
    if (data.title === title && data.body?.replaceAll("\r\n", "\n") === body) return false;
    await octokit.rest.pulls.update({ ...query, title, body });
    return true;
  }

  async function close(number: number): Promise<void> {
    const query = { ...here, pull_number: number };
    if ((await octokit.rest.pulls.get(query)).data.state !== "open") return;
    await octokit.rest.pulls.update({ ...query, state: "closed" });
  }

  async function listTeam(slug: string, doing: string): Promise<readonly string[] | undefined> {
    const query = { org: here.owner, team_slug: slug };
    try {
      const found = await readPages(doing, async (page) => octokit.rest.teams.listMembersInOrg({ ...query, ...page }));
      return toLogins(found, doing);
    } catch (error) {
      // An unknown team and one that this token may not see look the same; the repository of a person has no teams.
      if (isHidden(error)) return undefined;
      throw error;
    }
  }

  return {
    updatePullRequest: async (number, text) => call(`editing pull request ${number}`, async () => update(number, text)),
    closePullRequest: async (number) => call(`closing pull request ${number}`, async () => close(number)),
    addLabels: async (number, labels) => {
      const query = { ...here, issue_number: number, labels: [...labels] };
      await call(`labelling pull request ${number}`, async () => octokit.rest.issues.addLabels(query));
    },
    teamMembers: async (slug) => {
      const doing = `reading the members of team ${slug}`;
      return call(doing, async () => listTeam(slug, doing));
    },
  };
}
