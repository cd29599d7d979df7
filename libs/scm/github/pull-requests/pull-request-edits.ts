import { readBanMs, readStatus } from "../../http/classify.ts";
import type { Scm, PullRequestDraft } from "../../port/port.ts";
import { toLogins } from "./pull-request.ts";
import { readPages } from "./read-pages.ts";
import type { Wire } from "../calls/wire.ts";

type Edits = Pick<Scm, "updatePullRequest" | "closePullRequest" | "addLabels" | "teamMembers">;

/** What changes a pull request that stands, and who belongs to a team that may approve it. */
export function createPullRequestEdits({ octokit, call, here }: Wire): Edits {
  async function update(number: number, { title, body }: Pick<PullRequestDraft, "title" | "body">): Promise<boolean> {
    const query = { ...here, pull_number: number };
    const { data } = await octokit.rest.pulls.get(query);
    // GitHub keeps line ends as a browser sent them.
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
      const status = readStatus(error)?.status;
      // A team that is not there looks like one that this token may not see, and a person's repository has none at all.
      if ((status === 403 || status === 404) && readBanMs(error, 0) === undefined) return undefined;
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
