import { HttpError, requireFound } from "../../http/http-error.ts";
import type { Hub } from "../../state/hub.ts";
import { readParam, readText, replyWithPage, type Route, type RouteRequest } from "../../http/route.ts";
import { showApp } from "../../shapes/app.ts";
import { showCommit } from "../../shapes/commit.ts";
import { pullFactsQuery, showPullFacts } from "../../shapes/pull-facts.ts";
import { findBase } from "../../shapes/pull-request.ts";
import { showUser } from "../../shapes/user.ts";
import type { ActivityRecord } from "../../state/state.ts";
import { requirePull } from "./pulls.ts";

function showActivity(hub: Hub, { id, branch, before, after, kind, by, at }: ActivityRecord): unknown {
  return {
    id,
    node_id: `PSH_${id}`,
    before,
    after,
    ref: `refs/heads/${branch}`,
    timestamp: at,
    activity_type: kind,
    actor: showUser(hub, by),
  };
}

/** What only GraphQL tells: whether comments were edited, also within the second of their writing. */
const editsQuery =
  /^query \(\$ids: \[ID!\]!\) \{ nodes\(ids: \$ids\) \{ \.\.\. on IssueComment \{ [a-zA-Z ]+ \} \} \}$/u;

function showEdits(hub: Hub, variables: unknown): unknown {
  const ids = (variables as { readonly ids?: unknown } | undefined)?.ids;
  if (!Array.isArray(ids)) throw new HttpError(400, "the query has no ids");
  const nodes = ids.map((id) => {
    const comment = hub.state.comments.find((each) => `IC_${each.id}` === id);
    if (comment === undefined) return null;
    const { lastEditedAt = null } = comment;
    return { id: `IC_${comment.id}`, lastEditedAt, includesCreatedEdit: lastEditedAt !== null };
  });
  return { nodes };
}

function showRule({ owner, repo }: Hub, type: string): Readonly<Record<string, unknown>> {
  const source = { ruleset_source_type: "Repository", ruleset_source: `${owner}/${repo}`, ruleset_id: 1 };
  return { type, ...source, ...(type === "update" ? { parameters: { update_allows_fetch_and_merge: false } } : {}) };
}

async function showAskedPull(hub: Hub, { body }: RouteRequest): Promise<unknown> {
  const { number } = (body["variables"] ?? {}) as { readonly number?: unknown };
  return showPullFacts(hub, requireFound(hub.state.pulls.find((pull) => pull.number === number)));
}

/** The one question that only GraphQL answers to every kind of token. */
const viewerQuery = /^query \{ viewer \{ login \} \}$/u;

/** Who wrote and pushed what, and who asks. */
export const authorshipRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits",
    handle: async (hub, request) => {
      const pull = requirePull(hub, request);
      const range = ["rev-list", "--reverse", pull.head, `^${findBase(hub, pull)}`];
      const shas = (await hub.repository.git(range)).split("\n").filter((sha) => sha !== "");
      const commits = await Promise.all(
        shas.slice(0, 250).map(async (sha) => showCommit(hub, requireFound(await hub.repository.readCommit(sha)))),
      );
      return replyWithPage(hub, request, commits, (page) => page);
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/activity",
    handle: async (hub, request) => {
      const ref = request.query.get("ref")?.replace("refs/heads/", "");
      const found = hub.state.activity.filter(({ branch }) => ref === undefined || branch === ref).toReversed();
      return replyWithPage(hub, request, found, (page) => page.map((each) => showActivity(hub, each)));
    },
  },
  {
    operation: "GET /apps/{app_slug}",
    handle: async (hub, request) => {
      const login = `${readParam(request, "app_slug")}[bot]`;
      requireFound(hub.users.find((user) => user.login === login));
      return { status: 200, body: showApp(hub, login) };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/rules/branches/{branch}",
    handle: async (hub, request) => {
      const { ledgerRules = ["deletion", "non_fast_forward", "update"] } = hub.protection;
      const branch = readParam(request, "branch");
      const own = branch === hub.defaultBranch ? (hub.protection.rules ?? []) : [];
      const found = branch === "meshroll/ledger" ? ledgerRules.map((type) => ({ type })) : own;
      return { status: 200, body: found.map((rule) => ({ ...rule, ...showRule(hub, rule.type) })) };
    },
  },
  {
    operation: "POST /graphql",
    handle: async (hub, request) => {
      const query = readText(request, "query") ?? "";
      if (editsQuery.test(query)) return { status: 200, body: { data: showEdits(hub, request.body["variables"]) } };
      if (pullFactsQuery.test(query)) return { status: 200, body: { data: await showAskedPull(hub, request) } };
      if (!viewerQuery.test(query)) throw new HttpError(400, "this query is not known here");
      return { status: 200, body: { data: { viewer: { login: request.user.login } } } };
    },
  },
];
