import { HttpError, requireFound } from "../http/http-error.ts";
import type { Hub } from "../state/hub.ts";
import { readParam, replyWithPage, requireText, type Route, type RouteRequest } from "../http/route.ts";
import { apiUrl, htmlUrl } from "../shapes/repository.ts";
import { showUser } from "../shapes/user.ts";
import type { CommentRecord } from "../state/state.ts";
import { requirePull } from "./pulls/pulls.ts";

type Shape = Readonly<Record<string, unknown>>;

function showComment(hub: Hub, comment: CommentRecord): Shape {
  return {
    id: comment.id,
    node_id: `IC_${comment.id}`,
    url: apiUrl(hub, `/issues/comments/${comment.id}`),
    html_url: htmlUrl(hub, `/pull/${comment.issue}#issuecomment-${comment.id}`),
    issue_url: apiUrl(hub, `/issues/${comment.issue}`),
    body: comment.body,
    user: showUser(hub, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: hub.users.find(({ login }) => login === comment.author)?.association ?? "MEMBER",
    performed_via_github_app: null,
  };
}

/** The number of an issue or a pull request. */
function requireNumber(hub: Hub, request: RouteRequest): number {
  const number = Number(readParam(request, "issue_number"));
  const isIssue = hub.state.issues.some((issue) => issue.number === number);
  return isIssue ? number : requirePull(hub, request, "issue_number").number;
}

function requireBody(body: string): string {
  // GitHub's own limit: a list of workloads does not fit into one comment.
  if (body.length > 65_536) throw new HttpError(422, "Body is too long (maximum is 65536 characters)");
  return body;
}

function emitComment(hub: Hub, comment: CommentRecord, login: string, action: "created" | "edited"): void {
  const pull = hub.state.pulls.find((entry) => entry.number === comment.issue);
  const plain = hub.state.issues.find((entry) => entry.number === comment.issue);
  const { title = "", state = "open" } = pull ?? plain ?? {};
  const issue = { number: comment.issue, title, state, ...(pull === undefined ? {} : { pull_request: {} }) };
  hub.emit("issue_comment", login, { action, issue, comment: showComment(hub, comment) });
}

export const commentRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/issues/comments",
    handle: async (hub, request) => {
      const since = request.query.get("since") ?? "";
      const found = hub.state.comments
        .filter((comment) => comment.updatedAt >= since)
        .toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
      return replyWithPage(hub, request, found, (page) => page.map((comment) => showComment(hub, comment)));
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
    handle: async (hub, request) => {
      const number = requireNumber(hub, request);
      const since = request.query.get("since") ?? "";
      const found = hub.state.comments.filter((comment) => comment.issue === number && comment.updatedAt >= since);
      return replyWithPage(hub, request, found, (page) => page.map((comment) => showComment(hub, comment)));
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    handle: async (hub, request) => {
      const number = requireNumber(hub, request);
      const body = requireBody(requireText(request, "body", "IssueComment"));
      const now = hub.now();
      const comment: CommentRecord = {
        id: hub.state.nextId(),
        issue: number,
        author: request.user.login,
        body,
        createdAt: now,
        updatedAt: now,
      };
      hub.state.comments.push(comment);
      emitComment(hub, comment, request.user.login, "created");
      return { status: 201, body: showComment(hub, comment) };
    },
  },
  {
    operation: "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}",
    handle: async (hub, request) => {
      const comment = requireFound(
        hub.state.comments.find((entry) => entry.id === Number(readParam(request, "comment_id"))),
      );
      comment.body = requireBody(requireText(request, "body", "IssueComment"));
      comment.updatedAt = hub.now();
      emitComment(hub, comment, request.user.login, "edited");
      return { status: 200, body: showComment(hub, comment) };
    },
  },
];
