import { HttpError, requireFound } from "../http/http-error.ts";
import type { Hub } from "../state/hub.ts";
import { readParam, replyWithPage, type Route, type RouteRequest } from "../http/route.ts";
import { showIssue, showLabel, showPlainIssue } from "../shapes/issue.ts";
import { showUser } from "../shapes/user.ts";
import { requirePull } from "./pulls/pulls.ts";

/** The body is `{"labels": [...]}`; labels that do not exist are created. */
function readLabels({ body }: RouteRequest): readonly string[] {
  const labels = body["labels"];
  if (Array.isArray(labels) && labels.every((label) => typeof label === "string")) return labels;
  throw new HttpError(422, "Validation Failed", [{ resource: "Label", field: "labels", code: "invalid" }]);
}

/** An issue or a pull request: they share their numbers. */
function showAny(hub: Hub, request: RouteRequest): unknown {
  const issue = hub.state.issues.find(({ number }) => number === Number(readParam(request, "issue_number")));
  return issue === undefined ? showIssue(hub, requirePull(hub, request, "issue_number")) : showPlainIssue(hub, issue);
}

export const issueRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/issues/{issue_number}",
    handle: async (hub, request) => ({
      status: 200,
      body: showAny(hub, request),
    }),
  },
  {
    operation: "POST /repos/{owner}/{repo}/issues/{issue_number}/labels",
    handle: async (hub, request) => {
      const pull = requirePull(hub, request, "issue_number");
      pull.labels = [...new Set([...pull.labels, ...readLabels(request)])];
      pull.updatedAt = hub.now();
      return { status: 200, body: pull.labels.map((name) => showLabel(hub, name)) };
    },
  },
  {
    operation: "GET /orgs/{org}/teams/{team_slug}/members",
    handle: async (hub, request) => {
      const isHere = readParam(request, "org") === hub.owner;
      const members = requireFound(isHere ? hub.teams[readParam(request, "team_slug")] : undefined);
      return replyWithPage(hub, request, members, (page) => page.map((login) => showUser(hub, login)));
    },
  },
];
