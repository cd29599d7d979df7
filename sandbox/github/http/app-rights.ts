import { HttpError } from "./http-error.ts";
import type { Permissions } from "../state/app.ts";

/** Such as `contents: write`; any one of several is enough. */
type Needed = readonly (readonly [permission: string, level: "read" | "write"])[];

const reads = (permission: string): Needed => [[permission, "read"]];
const writes = (permission: string): Needed => [[permission, "write"]];
/** A pull request's comments and labels are also those of an issue, and either permission is enough. */
const either = (level: "read" | "write"): Needed => [
  ["issues", level],
  ["pull_requests", level],
];

const repository = "/repos/{owner}/{repo}";
const pull = `${repository}/pulls/{pull_number}`;

/** The permissions that GitHub's documentation requires of an App's token; an operation that is not listed is refused. */
const needs: ReadonlyMap<string, Needed> = new Map<string, Needed>([
  [`GET ${repository}`, reads("metadata")],
  ["POST /graphql", reads("metadata")],
  ["GET /apps/{app_slug}", reads("metadata")],
  [`GET ${repository}/rules/branches/{branch}`, reads("metadata")],
  [`GET ${repository}/collaborators/{username}/permission`, reads("metadata")],
  ["GET /orgs/{org}/teams/{team_slug}/members", reads("members")],
  [`GET ${repository}/branches/{branch}/protection`, reads("administration")],
  [`GET ${repository}/rulesets/{ruleset_id}`, reads("metadata")],
  ...[
    "branches/{branch}",
    "compare/{basehead}",
    "git/matching-refs/{ref}",
    "git/ref/{ref}",
    "git/commits/{commit_sha}",
    "commits/{ref}",
  ].map((path) => [`GET ${repository}/${path}`, reads("contents")] as const),
  ...["trees", "commits"].map((path) => [`POST ${repository}/git/${path}`, writes("contents")] as const),
  [`PUT ${pull}/merge`, writes("contents")],
  [`GET ${pull}`, reads("pull_requests")],
  ...["reviews", "commits"].map((path) => [`GET ${pull}/${path}`, reads("pull_requests")] as const),
  [`GET ${repository}/pulls`, reads("pull_requests")],
  [`GET ${repository}/commits/{commit_sha}/pulls`, reads("pull_requests")],
  [`POST ${repository}/pulls`, writes("pull_requests")],
  [`PATCH ${pull}`, writes("pull_requests")],
  [`POST ${pull}/reviews`, writes("pull_requests")],
  [`GET ${repository}/issues/{issue_number}`, either("read")],
  [`GET ${repository}/issues/{issue_number}/comments`, either("read")],
  [`GET ${repository}/issues/comments`, either("read")],
  [`POST ${repository}/issues/{issue_number}/labels`, either("write")],
  [`POST ${repository}/issues/{issue_number}/comments`, either("write")],
  [`PATCH ${repository}/issues/comments/{comment_id}`, either("write")],
  [`GET ${repository}/issues`, reads("issues")],
  [`POST ${repository}/issues`, writes("issues")],
  [`PATCH ${repository}/issues/{issue_number}`, either("write")],
  [`POST ${repository}/check-runs`, writes("checks")],
  [`PATCH ${repository}/check-runs/{check_run_id}`, writes("checks")],
  [`GET ${repository}/commits/{ref}/check-runs`, reads("checks")],
  [`POST ${repository}/statuses/{sha}`, writes("statuses")],
  [`GET ${repository}/commits/{ref}/statuses`, reads("statuses")],
  [`GET ${repository}/deployments`, reads("deployments")],
  [`POST ${repository}/deployments`, writes("deployments")],
  [`GET ${repository}/deployments/{deployment_id}/statuses`, reads("deployments")],
  [`POST ${repository}/deployments/{deployment_id}/statuses`, writes("deployments")],
]);

/** Operations that an installation's token may never use, because it has no account of its own. */
const closed: readonly string[] = ["GET /user"];

/** True when the table or `closed` lists an operation. @internal */
export function isListed(operation: string): boolean {
  return needs.has(operation) || closed.includes(operation);
}

export function hasPermission(permissions: Permissions, name: string, level: "read" | "write"): boolean {
  return permissions[name] === "write" || permissions[name] === level;
}

/** Throws GitHub's 403 unless the token has the permission; a header names the one that is needed. */
export function requirePermission(permissions: Permissions, operation: string): void {
  const needed = needs.get(operation) ?? [];
  if (needed.some(([name, level]) => hasPermission(permissions, name, level))) return;
  const accepted = needed.map(([name, level]) => `${name}=${level}`).join("; ");
  const headers = accepted === "" ? {} : { "x-accepted-github-permissions": accepted };
  throw new HttpError(403, "Resource not accessible by integration", undefined, headers);
}
