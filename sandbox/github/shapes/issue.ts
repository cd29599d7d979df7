import type { Hub } from "../state/hub.ts";
import type { IssueRecord, Pull } from "../state/state.ts";
import { apiUrl, htmlUrl } from "./repository.ts";
import { hashName, showUser } from "./user.ts";

type Shape = Readonly<Record<string, unknown>>;

export function showLabel(hub: Hub, name: string): Shape {
  return {
    id: hashName(name),
    node_id: `LA_${hashName(name)}`,
    url: apiUrl(hub, `/labels/${encodeURIComponent(name)}`),
    name,
    description: "",
    color: "ededed",
    default: false,
  };
}

/** A pull request as an issue: only there GitHub says who closed it. */
export function showIssue(hub: Hub, pull: Pull): Shape {
  const url = apiUrl(hub, `/issues/${pull.number}`);
  const html = htmlUrl(hub, `/pull/${pull.number}`);
  const closer = pull.merged?.by ?? pull.closedBy;
  return {
    id: hashName(`issue-${pull.number}`),
    node_id: `I_${pull.number}`,
    url,
    repository_url: apiUrl(hub, ""),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: html,
    number: pull.number,
    title: pull.title,
    body: pull.body,
    state: pull.state,
    locked: false,
    user: showUser(hub, pull.author),
    labels: pull.labels.map((name) => showLabel(hub, name)),
    assignee: null,
    assignees: [],
    milestone: null,
    comments: hub.state.comments.filter((comment) => comment.issue === pull.number).length,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt ?? null,
    closed_by: closer === undefined || pull.state === "open" ? null : showUser(hub, closer),
    pull_request: {
      url: apiUrl(hub, `/pulls/${pull.number}`),
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
    },
    author_association: "MEMBER",
  };
}

/** An issue that is not a pull request. */
export function showPlainIssue(hub: Hub, issue: IssueRecord): Shape {
  const { number, title, body, state, author, labels, createdAt, updatedAt, closedAt, closedBy } = issue;
  const url = apiUrl(hub, `/issues/${number}`);
  return {
    id: hashName(`issue-${number}`),
    node_id: `I_${number}`,
    url,
    repository_url: apiUrl(hub, ""),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: htmlUrl(hub, `/issues/${number}`),
    number,
    title,
    body,
    state,
    locked: false,
    user: showUser(hub, author),
    labels: labels.map((name) => showLabel(hub, name)),
    assignee: null,
    assignees: [],
    milestone: null,
    comments: hub.state.comments.filter((comment) => comment.issue === number).length,
    created_at: createdAt,
    updated_at: updatedAt,
    closed_at: closedAt ?? null,
    closed_by: closedBy === undefined ? null : showUser(hub, closedBy),
    author_association: "MEMBER",
  };
}
