import type { Hub } from "../state/hub.ts";
import { findMergeObstacle, isBehind } from "../state/protection.ts";
import type { Pull } from "../state/state.ts";
import { apiUrl, htmlUrl, showRepository } from "./repository.ts";
import { showLabel } from "./issue.ts";
import { showUser } from "./user.ts";

type Shape = Readonly<Record<string, unknown>>;

/** The commit of the base that this pull request is, or was, merged into. */
export function findBase(hub: Hub, pull: Pull): string {
  return pull.merged?.baseSha ?? hub.branches().get(pull.base) ?? pull.head;
}

function showSide(hub: Hub, branch: string, sha: string, fork?: string): Shape {
  const owner = fork ?? hub.owner;
  const repository = showRepository(hub);
  const theirs = { full_name: `${owner}/${hub.repo}`, owner: showUser(hub, owner), fork: true };
  return {
    label: `${owner}:${branch}`,
    ref: branch,
    sha,
    user: showUser(hub, owner),
    repo: fork === undefined ? repository : { ...repository, ...theirs },
  };
}

function showAddresses(hub: Hub, pull: Pull): { readonly flat: Shape; readonly links: Shape } {
  const self = apiUrl(hub, `/pulls/${pull.number}`);
  const issue = apiUrl(hub, `/issues/${pull.number}`);
  const html = htmlUrl(hub, `/pull/${pull.number}`);
  const comment = apiUrl(hub, "/pulls/comments{/number}");
  const statuses = apiUrl(hub, `/statuses/${pull.head}`);
  const links = {
    self,
    issue,
    html,
    comments: `${issue}/comments`,
    commits: `${self}/commits`,
    statuses,
    review_comments: `${self}/comments`,
    review_comment: comment,
  };
  return {
    flat: {
      url: self,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      issue_url: issue,
      commits_url: links.commits,
      comments_url: links.comments,
      statuses_url: statuses,
      review_comments_url: links.review_comments,
      review_comment_url: comment,
    },
    links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
  };
}

/** A pull request as lists show it. */
export function showPullInList(hub: Hub, pull: Pull): Shape {
  const { flat, links } = showAddresses(hub, pull);
  return {
    ...flat,
    _links: links,
    id: pull.id,
    node_id: `PR_${pull.number}`,
    number: pull.number,
    state: pull.state,
    locked: false,
    draft: pull.draft,
    title: pull.title,
    body: pull.body,
    user: showUser(hub, pull.author),
    labels: pull.labels.map((name) => showLabel(hub, name)),
    milestone: null,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt ?? null,
    merged_at: pull.merged?.at ?? null,
    merge_commit_sha: pull.merged?.sha ?? null,
    head: showSide(hub, pull.branch, pull.head, pull.fork),
    base: showSide(hub, pull.base, findBase(hub, pull)),
    author_association: "MEMBER",
    auto_merge: null,
  };
}

/** A read begins the computation of a merge; an answer to a write, or an event, does not wait for it either. */
type Occasion = "read" | "write";

async function showMergeability(hub: Hub, pull: Pull, occasion: Occasion): Promise<Shape> {
  const merge = [findBase(hub, pull), pull.head] as const;
  const isKnown = occasion === "read" ? hub.computedMerges.ask(...merge) : hub.computedMerges.isKnown(...merge);
  if (pull.state === "closed" || !isKnown) return { mergeable: null, rebaseable: null, mergeable_state: "unknown" };
  const mergeable = (await hub.mergeability(findBase(hub, pull), pull.head)) !== undefined;
  if (!mergeable) return { mergeable, rebaseable: false, mergeable_state: "dirty" };
  const state =
    (await findMergeObstacle(hub, pull)) === undefined ? ((await isBehind(hub, pull)) ? "behind" : "clean") : "blocked";
  return { mergeable, rebaseable: true, mergeable_state: pull.draft ? "draft" : state };
}

/** A pull request by itself. */
export async function showPull(hub: Hub, pull: Pull, occasion: Occasion = "write"): Promise<Shape> {
  return {
    ...showPullInList(hub, pull),
    ...(await showMergeability(hub, pull, occasion)),
    commits: await hub.commitCounts(findBase(hub, pull), pull.head),
    additions: 0,
    deletions: 0,
    changed_files: 0,
    merged: pull.merged !== undefined,
    merged_by: pull.merged === undefined ? null : showUser(hub, pull.merged.by),
    comments: hub.state.comments.filter((comment) => comment.issue === pull.number).length,
    review_comments: 0,
    maintainer_can_modify: false,
  };
}

/** Payload of the webhook `pull_request`. */
export async function showPullEvent(hub: Hub, pull: Pull, action: string): Promise<Shape> {
  return { action, number: pull.number, pull_request: await showPull(hub, pull) };
}
