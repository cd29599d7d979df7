import { requireFound } from "../../http/http-error.ts";
import type { Hub } from "../../state/hub.ts";
import { readParam, replyWithPage, type Route } from "../../http/route.ts";
import { showApp } from "../../shapes/app.ts";
import { showCommit } from "../../shapes/commit.ts";
import { mayBypass } from "../../state/protection.ts";
import { findBase } from "../../shapes/pull-request.ts";
import { requirePull } from "./pulls.ts";

function showRule({ owner, repo }: Hub, type: string): Readonly<Record<string, unknown>> {
  const source = { ruleset_source_type: "Repository", ruleset_source: `${owner}/${repo}`, ruleset_id: 1 };
  return { type, ...source, ...(type === "update" ? { parameters: { update_allows_fetch_and_merge: false } } : {}) };
}

/** Authors of commits, and rules of branches. */
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
      return replyWithPage(hub, request, found, (page) =>
        page.map((rule) => ({ ...rule, ...showRule(hub, rule.type) })),
      );
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/rulesets/{ruleset_id}",
    handle: async (hub, request) => {
      const bypass = mayBypass(hub, request.user.login) ? "pull_requests_only" : "never";
      const source = { source_type: "Repository", source: `${hub.owner}/${hub.repo}`, enforcement: "active" };
      return { status: 200, body: { id: 1, name: "main", ...source, current_user_can_bypass: bypass } };
    },
  },
];
