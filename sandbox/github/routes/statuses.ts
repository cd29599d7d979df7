import { HttpError, requireFound } from "../http/http-error.ts";
import { type Hub, resolveCommit } from "../state/hub.ts";
import { readParam, readText, replyWithPage, requireText, type Route } from "../http/route.ts";
import { apiUrl, showRepository } from "../shapes/repository.ts";
import { showUser } from "../shapes/user.ts";
import type { StatusRecord } from "../state/state.ts";

type Shape = Readonly<Record<string, unknown>>;

function showStatus(hub: Hub, status: StatusRecord): Shape {
  return {
    id: status.id,
    node_id: `SC_${status.id}`,
    url: apiUrl(hub, `/statuses/${status.sha}`),
    avatar_url: null,
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.at,
    updated_at: status.at,
    creator: showUser(hub, status.author),
  };
}

function combine(states: readonly string[]): string {
  if (states.some((state) => state === "failure" || state === "error")) return "failure";
  return states.length > 0 && states.every((state) => state === "success") ? "success" : "pending";
}

export const statusRoutes: readonly Route[] = [
  {
    operation: "POST /repos/{owner}/{repo}/statuses/{sha}",
    handle: async (hub, request) => {
      const sha = readParam(request, "sha");
      if ((await hub.repository.readCommit(sha)) === undefined)
        throw new HttpError(422, `No commit found for SHA: ${sha}`);
      const status: StatusRecord = {
        id: hub.state.nextId(),
        sha,
        context: readText(request, "context") ?? "default",
        state: requireText(request, "state", "Status"),
        description: readText(request, "description") ?? null,
        targetUrl: readText(request, "target_url") ?? null,
        author: request.user.login,
        at: hub.now(),
      };
      hub.state.statuses.push(status);
      hub.emit("status", request.user.login, { sha, state: status.state, context: status.context, id: status.id });
      return { status: 201, body: showStatus(hub, status) };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/commits/{ref}/statuses",
    handle: async (hub, request) => {
      const sha = requireFound(await resolveCommit(hub, readParam(request, "ref")));
      const all = hub.state.statuses.filter((status) => status.sha === sha).toReversed();
      return replyWithPage(hub, request, all, (page) => page.map((status) => showStatus(hub, status)));
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/commits/{ref}/status",
    handle: async (hub, request) => {
      const sha = await resolveCommit(hub, readParam(request, "ref"));
      if (sha === undefined) throw new HttpError(404, "Not Found");
      const all = hub.state.statuses.filter((status) => status.sha === sha).toReversed();
      const latest = all.filter(
        (status, index) => all.findIndex((other) => other.context === status.context) === index,
      );
      const body = {
        state: combine(latest.map((status) => status.state)),
        statuses: latest.map((status) => showStatus(hub, status)),
        sha,
        total_count: latest.length,
        repository: showRepository(hub),
        commit_url: apiUrl(hub, `/commits/${sha}`),
        url: apiUrl(hub, `/commits/${sha}/status`),
      };
      return { status: 200, body };
    },
  },
];
