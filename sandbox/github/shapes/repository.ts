import type { Hub } from "../state/hub.ts";
import { hashName, showUser } from "./user.ts";

type Shape = Readonly<Record<string, unknown>>;

/** URLs that GitHub lists with every repository; most are templates of paths that are not served here. */
const links = {
  archive: "{archive_format}{/ref}",
  assignees: "assignees{/user}",
  blobs: "git/blobs{/sha}",
  branches: "branches{/branch}",
  collaborators: "collaborators{/collaborator}",
  comments: "comments{/number}",
  commits: "commits{/sha}",
  compare: "compare/{base}...{head}",
  contents: "contents/{+path}",
  contributors: "contributors",
  deployments: "deployments",
  downloads: "downloads",
  events: "events",
  forks: "forks",
  git_commits: "git/commits{/sha}",
  git_refs: "git/refs{/sha}",
  git_tags: "git/tags{/sha}",
  hooks: "hooks",
  issue_comment: "issues/comments{/number}",
  issue_events: "issues/events{/number}",
  issues: "issues{/number}",
  keys: "keys{/key_id}",
  labels: "labels{/name}",
  languages: "languages",
  merges: "merges",
  milestones: "milestones{/number}",
  notifications: "notifications{?since,all,participating}",
  pulls: "pulls{/number}",
  releases: "releases{/id}",
  stargazers: "stargazers",
  statuses: "statuses/{sha}",
  subscribers: "subscribers",
  subscription: "subscription",
  tags: "tags",
  teams: "teams",
  trees: "git/trees{/sha}",
} as const;

/** URL of the repository in the API. */
export function apiUrl(hub: Hub, path = ""): string {
  return `${hub.url()}/repos/${hub.owner}/${hub.repo}${path}`;
}

/** URL for people. */
export function htmlUrl(hub: Hub, path = ""): string {
  return `${hub.url()}/${hub.owner}/${hub.repo}${path}`;
}

function showLinks(hub: Hub): Shape {
  return Object.fromEntries(Object.entries(links).map(([name, path]) => [`${name}_url`, apiUrl(hub, `/${path}`)]));
}

export function showRepository(hub: Hub): Shape {
  const open = hub.state.pulls.filter((pull) => pull.state === "open").length;
  const clone = `${hub.url()}/${hub.owner}/${hub.repo}.git`;
  return {
    ...showLinks(hub),
    id: hashName(`${hub.owner}/${hub.repo}`),
    node_id: "R_sandbox",
    name: hub.repo,
    full_name: `${hub.owner}/${hub.repo}`,
    owner: showUser(hub, hub.owner),
    url: apiUrl(hub),
    html_url: htmlUrl(hub),
    clone_url: clone,
    git_url: clone,
    ssh_url: clone,
    svn_url: clone,
    mirror_url: null,
    private: true,
    visibility: "private",
    fork: false,
    archived: false,
    disabled: false,
    description: null,
    homepage: null,
    language: null,
    license: null,
    default_branch: hub.defaultBranch,
    size: 0,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    open_issues: open,
    open_issues_count: open,
    has_issues: true,
    has_projects: false,
    has_downloads: false,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    allow_merge_commit: hub.mergeMethods.includes("merge"),
    allow_squash_merge: hub.mergeMethods.includes("squash"),
    allow_rebase_merge: hub.mergeMethods.includes("rebase"),
    allow_auto_merge: false,
    // Not the time of the request: an unchanged answer must stay the same for `If-None-Match`.
    pushed_at: hub.state.pushedAt,
    created_at: hub.state.startedAt,
    updated_at: hub.state.startedAt,
  };
}

/** The fuller form of `GET /repos/{owner}/{repo}`. */
export function showFullRepository(hub: Hub): Shape {
  return { ...showRepository(hub), network_count: 0, subscribers_count: 0 };
}
