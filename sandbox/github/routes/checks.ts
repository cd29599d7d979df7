import { HttpError, requireFound } from "../http/http-error.ts";
import { type Hub, resolveCommit } from "../state/hub.ts";
import { readParam, readText, replyWithPage, requireText, type Route, type RouteRequest } from "../http/route.ts";
import { showApp } from "../shapes/app.ts";
import { apiUrl, htmlUrl } from "../shapes/repository.ts";
import { hashName } from "../shapes/user.ts";
import type { CheckRun } from "../state/state.ts";

type Shape = Readonly<Record<string, unknown>>;

function showCheck(hub: Hub, check: CheckRun): Shape {
  const url = apiUrl(hub, `/check-runs/${check.id}`);
  return {
    id: check.id,
    node_id: `CR_${check.id}`,
    name: check.name,
    head_sha: check.sha,
    external_id: check.externalId,
    url,
    html_url: htmlUrl(hub, `/runs/${check.id}`),
    details_url: check.detailsUrl,
    status: check.status,
    conclusion: check.conclusion,
    started_at: check.startedAt,
    completed_at: check.completedAt,
    output: { ...check.output, annotations_count: 0, annotations_url: `${url}/annotations` },
    check_suite: { id: hashName(check.sha) },
    app: showApp(hub, check.author),
    pull_requests: [],
  };
}

function readOutput(request: RouteRequest, before: CheckRun["output"]): CheckRun["output"] {
  const given = request.body["output"];
  if (typeof given !== "object" || given === null) return before;
  const read = (name: "title" | "summary" | "text"): string | null => {
    const value: unknown = Reflect.get(given, name);
    return typeof value === "string" ? value : before[name];
  };
  const output = { title: read("title"), summary: read("summary"), text: read("text") };
  // GitHub's own limit: the plan of a large fleet is longer.
  for (const value of [output.summary, output.text]) {
    if (value !== null && Buffer.byteLength(value) > 65_535)
      throw new HttpError(422, "Only 65535 characters are allowed in output");
  }
  return output;
}

/** Only apps may write check runs; all others get GitHub's refusal. */
function requireApp(request: RouteRequest): void {
  if (request.user.mayWriteChecks === false) throw new HttpError(403, "You must authenticate via a GitHub App.");
}

function updateCheck(hub: Hub, check: CheckRun, request: RouteRequest): void {
  const conclusion = readText(request, "conclusion");
  check.conclusion = conclusion ?? check.conclusion;
  check.status = conclusion === undefined ? (readText(request, "status") ?? check.status) : "completed";
  if (check.status === "completed") {
    if (check.conclusion === null)
      throw new HttpError(422, "Invalid request. conclusion is required when status is completed.");
    check.completedAt = readText(request, "completed_at") ?? hub.now();
  } else {
    check.conclusion = null;
    check.completedAt = null;
  }
  check.externalId = readText(request, "external_id") ?? check.externalId;
  check.detailsUrl = readText(request, "details_url") ?? check.detailsUrl;
  check.output = readOutput(request, check.output);
}

/** GitHub sends an event when a check begins and when it ends, and none in between. */
function emitCheck(hub: Hub, check: CheckRun, login: string, created: boolean): void {
  const done = check.status === "completed";
  if (!created && !done) return;
  hub.emit("check_run", login, { action: done ? "completed" : "created", check_run: showCheck(hub, check) });
}

function listLatest(checks: readonly CheckRun[], query: URLSearchParams): readonly CheckRun[] {
  const name = query.get("check_name");
  const fitting = checks.filter((check) => name === null || check.name === name).toReversed();
  if (query.get("filter") === "all") return fitting;
  return fitting.filter((check, index) => fitting.findIndex((other) => other.name === check.name) === index);
}

export const checkRoutes: readonly Route[] = [
  {
    operation: "POST /repos/{owner}/{repo}/check-runs",
    handle: async (hub, request) => {
      requireApp(request);
      const name = requireText(request, "name", "CheckRun");
      const sha = requireText(request, "head_sha", "CheckRun");
      if ((await hub.repository.readCommit(sha)) === undefined)
        throw new HttpError(422, `No commit found for SHA: ${sha}`);
      const now = hub.now();
      const check: CheckRun = {
        id: hub.state.nextId(),
        name,
        sha,
        author: request.user.login,
        startedAt: readText(request, "started_at") ?? now,
        status: "queued",
        conclusion: null,
        completedAt: null,
        externalId: "",
        detailsUrl: null,
        output: { title: null, summary: null, text: null },
      };
      updateCheck(hub, check, request);
      hub.state.checks.push(check);
      emitCheck(hub, check, request.user.login, true);
      return { status: 201, body: showCheck(hub, check) };
    },
  },
  {
    operation: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    handle: async (hub, request) => {
      requireApp(request);
      const check = requireFound(
        hub.state.checks.find((entry) => entry.id === Number(readParam(request, "check_run_id"))),
      );
      updateCheck(hub, check, request);
      emitCheck(hub, check, request.user.login, false);
      return { status: 200, body: showCheck(hub, check) };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
    handle: async (hub, request) => {
      const name = readParam(request, "ref");
      const sha = await resolveCommit(hub, name);
      if (sha === undefined) throw new HttpError(422, `No commit found for SHA: ${name}`);
      const found = listLatest(
        hub.state.checks.filter((check) => check.sha === sha),
        request.query,
      );
      const show = (page: readonly CheckRun[]): Shape => ({
        total_count: found.length,
        check_runs: page.map((check) => showCheck(hub, check)),
      });
      return replyWithPage(hub, request, found, show);
    },
  },
];
