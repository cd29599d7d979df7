import { HttpError } from "./http-error.ts";
import type { Permissions } from "../state/app.ts";

/** `contents: write`; of several any one is enough. */
type Needed = readonly (readonly [permission: string, level: "read" | "write"])[];

const reads = (permission: string): Needed => [[permission, "read"]];
const writes = (permission: string): Needed => [[permission, "write"]];
/** Comments and labels of a pull request are those of an issue, and either right does. */
const either = (level: "read" | "write"): Needed => [
  ["issues", level],
  ["pull_requests", level],
];

const repository = "/repos/{owner}/{repo}";
const pull = `${repository}/pulls/{pull_number}`;

/** What GitHub's documentation requires of an App's token; what it does not list is refused. */
const needs: ReadonlyMap<string, Needed> = new Map<string, Needed>([
  [`GET ${repository}`, reads("metadata")],
  ["POST /graphql", reads("metadata")],
  ["GET /apps/{app_slug}", reads("metadata")],
  [`GET ${repository}/rules/branches/{branch}`, reads("metadata")],
  [`GET ${repository}/collaborators/{username}/permission`, reads("metadata")],
  ["GET /orgs/{org}/teams/{team_slug}/members", reads("members")],
  [`GET ${repository}/branches/{branch}/protection`, reads("administration")],
  [`GET ${repository}/rulesets/{ruleset_id}`, reads("metadata")],
  ...["branches/{branch}", "compare/{basehead}"].map(
    (path) => [`GET ${repository}/${path}`, reads("contents")] as const,
  ),
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

/** Operations that no installation may ask: it has no account of its own. */
const closed: readonly string[] = ["GET /user"];

/** True where the table says what an operation takes. @internal */
export function isJudged(operation: string): boolean {
  return needs.has(operation) || closed.includes(operation);
}

export function hasPermission(permissions: Permissions, name: string, level: "read" | "write"): boolean {
  return permissions[name] === "write" || permissions[name] === level;
}

/** Throws GitHub's 403, whose header names the right, unless the token has it. */
export function requirePermission(permissions: Permissions, operation: string): void {
  const needed = needs.get(operation) ?? [];
  if (needed.some(([name, level]) => hasPermission(permissions, name, level))) return;
  const accepted = needed.map(([name, level]) => `${name}=${level}`).join("; ");
  const headers = accepted === "" ? {} : { "x-accepted-github-permissions": accepted };
  throw new HttpError(403, "Resource not accessible by integration", undefined, headers);
}
