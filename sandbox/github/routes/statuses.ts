import { HttpError, requireFound } from "../http/http-error.ts";
import { type Hub, resolveCommit } from "../state/hub.ts";
import { readParam, readText, replyWithPage, requireText, type Route } from "../http/route.ts";
import { apiUrl } from "../shapes/repository.ts";
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
];
