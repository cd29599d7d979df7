import { z } from "zod";

import { isHidden, readStatus } from "../http/classify.ts";
import { parseAnswer } from "../http/parse-answer.ts";
import type { Permission, PullCommit, Scm } from "../port/port.ts";
import type { GiteaClient } from "./client.ts";
import { toLogin, toReviews } from "./pull-request.ts";

const user = z.object({ login: z.string() });
const permission = z.object({ permission: z.enum(["owner", "admin", "write", "read", "none"]).catch("none") });
const teams = z.object({ data: z.array(z.object({ id: z.int(), name: z.string() })).nullable() });
const repositoryTeams = z.array(z.object({ id: z.int(), units_map: z.record(z.string(), z.string()).nullish() }));
const commit = z.object({
  sha: z.string(),
  author: user.nullish(),
  committer: user.nullish(),
});

/** The login of the token's account; read once. */
export function createOwnLogin(client: GiteaClient): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    known ??= parseAnswer(user, await client.get("/user"), "asking Gitea who we are").login;
    return known;
  };
}

/** Permissions, teams, reviews and authors of commits. */
export function createPeople(
  client: GiteaClient,
  askLogin: () => Promise<string>,
): Pick<Scm, "permissionOf" | "teamMembers" | "reviews" | "pullCommits" | "ownLogin"> {
  const { call } = client;

  async function askPermission(login: string, doing: string): Promise<Permission> {
    try {
      const answer = await client.get(`collaborators/${encodeURIComponent(login)}/permission`);
      const { permission: found } = parseAnswer(permission, answer, doing);
      return found === "owner" ? "admin" : found;
    } catch (error) {
      const status = readStatus(error)?.status;
      if (status === 404) return "none";
      // Only administrators of the repository may read it.
      if (status === 403) return "unknown";
      throw error;
    }
  }

  async function isMember(team: number, login: string): Promise<boolean> {
    try {
      await client.get(`/teams/${team}/members/${encodeURIComponent(login)}`);
      return true;
    } catch (error) {
      if (isHidden(error)) return false;
      throw error;
    }
  }

  /** For members of a team Gitea answers `read`, whatever the team may do with code, so teams are read separately. */
  async function mayWriteByTeam(login: string, doing: string): Promise<boolean> {
    const writing = await listWritingTeams(doing);
    for (const { id } of writing) if (await isMember(id, login)) return true;
    return false;
  }

  async function listWritingTeams(doing: string): Promise<z.infer<typeof repositoryTeams>> {
    try {
      const found = parseAnswer(repositoryTeams, await client.get("teams"), doing);
      return found.filter(({ units_map: units }) => ["write", "admin"].includes(units?.["repo.code"] ?? ""));
    } catch (error) {
      // 405: the repository of a person has no teams.
      if (isHidden(error) || readStatus(error)?.status === 405) return [];
      throw error;
    }
  }

  async function readPermission(login: string, doing: string): Promise<Permission> {
    const told = await askPermission(login, doing);
    if (told !== "read" && told !== "none") return told;
    return (await mayWriteByTeam(login, doing)) ? "write" : told;
  }

  async function listTeam(slug: string, doing: string): Promise<readonly string[] | undefined> {
    try {
      const found = await client.get(`/orgs/${client.owner}/teams/search`, { q: slug });
      const team = parseAnswer(teams, found, doing).data?.find(({ name }) => name.toLowerCase() === slug.toLowerCase());
      if (team === undefined) return undefined;
      const members = await client.list(`/teams/${team.id}/members`, doing);
      return parseAnswer(z.array(user), members, doing).map(({ login }) => login);
    } catch (error) {
      if (isHidden(error)) return undefined;
      throw error;
    }
  }

  /** Gitea lists the newest first; answers the oldest first. */
  async function listCommits(number: number, doing: string): Promise<readonly PullCommit[]> {
    const answers = await client.list(`pulls/${number}/commits`, doing, { files: "false", verification: "false" });
    const commits = parseAnswer(z.array(commit), answers, doing).map(({ sha, author, committer }) => {
      const [by, from] = [toLogin(author), toLogin(committer)];
      return { sha, ...(by === undefined ? {} : { author: by }), ...(from === undefined ? {} : { committer: from }) };
    });
    return commits.toReversed();
  }

  return {
    permissionOf: async (login) => {
      const doing = `reading what ${login} may do`;
      return call(doing, async () => readPermission(login, doing));
    },
    teamMembers: async (slug) => {
      const doing = `reading the members of team ${slug}`;
      return call(doing, async () => listTeam(slug, doing));
    },
    reviews: async (number) => {
      const doing = `reading reviews of ${number}`;
      return call(doing, async () => toReviews(await client.list(`pulls/${number}/reviews`, doing), doing));
    },
    pullCommits: async (number) => {
      const doing = `reading the commits of ${number}`;
      return call(doing, async () => listCommits(number, doing));
    },
    ownLogin: async () => call("asking Gitea who we are", askLogin),
  };
}
