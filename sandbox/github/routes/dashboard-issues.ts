import { HttpError, requireFound } from "../http/http-error.ts";
import type { Hub } from "../state/hub.ts";
import { readParam, readText, replyWithPage, requireText, type Route, type RouteRequest } from "../http/route.ts";
import { showIssue, showPlainIssue } from "../shapes/issue.ts";
import { type IssueRecord, takeNumber } from "../state/state.ts";

type Shape = Readonly<Record<string, unknown>>;

interface Listed {
  readonly labels: readonly string[];
  readonly state: string;
  readonly createdAt: string;
  readonly show: () => Shape;
}

/** GitHub's list of issues contains pull requests. */
function listAll(hub: Hub): readonly Listed[] {
  const pulls = hub.state.pulls.map((pull) => ({ ...pull, show: () => showIssue(hub, pull) }));
  return [...pulls, ...hub.state.issues.map((issue) => ({ ...issue, show: () => showPlainIssue(hub, issue) }))];
}

function requireIssue(hub: Hub, request: RouteRequest): IssueRecord {
  return requireFound(hub.state.issues.find(({ number }) => number === Number(readParam(request, "issue_number"))));
}

function readLabels({ body }: RouteRequest): readonly string[] {
  const labels = body["labels"] ?? [];
  if (Array.isArray(labels) && labels.every((label) => typeof label === "string")) return labels;
  throw new HttpError(422, "Validation Failed", [{ resource: "Issue", field: "labels", code: "invalid" }]);
}

function editIssue(hub: Hub, issue: IssueRecord, request: RouteRequest): void {
  issue.title = readText(request, "title") ?? issue.title;
  issue.body = readText(request, "body") ?? issue.body;
  issue.updatedAt = hub.now();
  const state = readText(request, "state") ?? issue.state;
  if (state === issue.state) return;
  issue.state = state === "open" ? "open" : "closed";
  delete issue.closedAt;
  delete issue.closedBy;
  if (issue.state === "open") return;
  issue.closedAt = hub.now();
  issue.closedBy = request.user.login;
}

/** Issues that are not pull requests. */
export const dashboardRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/issues",
    handle: async (hub, request) => {
      const state = request.query.get("state") ?? "open";
      const wanted = (request.query.get("labels") ?? "").split(",").filter((label) => label !== "");
      const found = listAll(hub)
        .filter((each) => state === "all" || each.state === state)
        .filter(({ labels }) => wanted.every((label) => labels.includes(label)))
        .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
      const ordered = request.query.get("direction") === "asc" ? found : found.toReversed();
      return replyWithPage(hub, request, ordered, (page) => page.map(({ show }) => show()));
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/issues",
    handle: async (hub, request) => {
      const now = hub.now();
      const issue: IssueRecord = {
        number: takeNumber(hub.state),
        author: request.user.login,
        title: requireText(request, "title", "Issue"),
        body: readText(request, "body") ?? null,
        labels: readLabels(request),
        state: "open",
        createdAt: now,
        updatedAt: now,
      };
      hub.state.issues.push(issue);
      hub.emit("issues", request.user.login, { action: "opened", issue: showPlainIssue(hub, issue) });
      return { status: 201, body: showPlainIssue(hub, issue) };
    },
  },
  {
    operation: "PATCH /repos/{owner}/{repo}/issues/{issue_number}",
    handle: async (hub, request) => {
      const issue = requireIssue(hub, request);
      editIssue(hub, issue, request);
      hub.emit("issues", request.user.login, { action: "edited", issue: showPlainIssue(hub, issue) });
      return { status: 200, body: showPlainIssue(hub, issue) };
    },
  },
];
