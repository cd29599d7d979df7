import { HttpError, refuseValidation, requireFound } from "../../http/http-error.ts";
import type { Hub } from "../../state/hub.ts";
import { readParam, readText, replyWithPage, requireText, type Route, type RouteRequest } from "../../http/route.ts";
import { showPull, showPullEvent, showPullInList } from "../../shapes/pull-request.ts";
import { nameHeadBranch, type Pull, takeNumber } from "../../state/state.ts";

/** The pull request whose number is in the path. */
export function requirePull(hub: Hub, request: RouteRequest, name = "pull_number"): Pull {
  return requireFound(hub.state.pulls.find((pull) => pull.number === Number(readParam(request, name))));
}

function filterPulls(hub: Hub, query: URLSearchParams): readonly Pull[] {
  const state = query.get("state") ?? "open";
  const [head, base] = [query.get("head"), query.get("base")];
  const fits = (pull: Pull): boolean =>
    (state === "all" || pull.state === state) &&
    (head === null || !head.includes(":") || head === `${pull.fork ?? hub.owner}:${pull.branch}`) &&
    (base === null || base === pull.base);
  const found = hub.state.pulls.filter(fits);
  return query.get("direction") === "asc" ? found : found.toReversed();
}

/** `branch`, or `login:branch` for a branch of a fork. */
function readHead(hub: Hub, request: RouteRequest) {
  const head = requireText(request, "head", "PullRequest");
  const [, from = hub.owner, branch = ""] = /^(?:([^:]*):)?(.*)$/.exec(head) ?? [];
  return { from, place: { branch, ...(from === hub.owner ? {} : { fork: from }) } };
}

async function openPull(hub: Hub, request: RouteRequest): Promise<Pull> {
  const { from, place } = readHead(hub, request);
  const base = requireText(request, "base", "PullRequest");
  const title = requireText(request, "title", "PullRequest");
  const [head, baseSha] = [hub.branches().get(nameHeadBranch(place)), hub.branches().get(base)];
  const missing = head === undefined ? "head" : "base";
  if (head === undefined || baseSha === undefined) {
    throw new HttpError(422, "Validation Failed", [{ resource: "PullRequest", field: missing, code: "invalid" }]);
  }
  const isSame = (pull: Pull): boolean =>
    pull.branch === place.branch && pull.fork === place.fork && pull.base === base;
  if (hub.state.pulls.some((pull) => pull.state === "open" && isSame(pull))) {
    throw refuseValidation("PullRequest", `A pull request already exists for ${from}:${place.branch}.`);
  }
  if (await hub.repository.isAncestor(head, baseSha)) {
    throw refuseValidation("PullRequest", `No commits between ${base} and ${place.branch}`);
  }
  const now = hub.now();
  const pull: Pull = {
    number: takeNumber(hub.state),
    id: hub.state.nextId(),
    author: request.user.login,
    ...place,
    base,
    head,
    title,
    body: readText(request, "body") ?? null,
    draft: request.body["draft"] === true,
    state: "open",
    createdAt: now,
    updatedAt: now,
    labels: [],
  };
  hub.state.pulls.push(pull);
  return pull;
}

function reopen(hub: Hub, pull: Pull): void {
  const head = hub.branches().get(nameHeadBranch(pull));
  if (pull.merged !== undefined || head === undefined)
    throw refuseValidation("PullRequest", "The pull request cannot be reopened.");
  pull.state = "open";
  pull.head = head;
  delete pull.closedAt;
  delete pull.closedBy;
}

/** Returns the webhook's action. */
function editPull(hub: Hub, pull: Pull, request: RouteRequest): "closed" | "reopened" | "edited" {
  pull.title = readText(request, "title") ?? pull.title;
  pull.body = readText(request, "body") ?? pull.body;
  pull.base = readText(request, "base") ?? pull.base;
  pull.updatedAt = hub.now();
  const state = readText(request, "state") ?? pull.state;
  if (state === pull.state) return "edited";
  if (state === "open") {
    reopen(hub, pull);
    return "reopened";
  }
  pull.state = "closed";
  pull.closedAt = hub.now();
  pull.closedBy = request.user.login;
  return "closed";
}

export const pullRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/pulls",
    handle: async (hub, request) =>
      replyWithPage(hub, request, filterPulls(hub, request.query), (pulls) =>
        pulls.map((pull) => showPullInList(hub, pull)),
      ),
  },
  {
    operation: "POST /repos/{owner}/{repo}/pulls",
    handle: async (hub, request) => {
      const pull = await openPull(hub, request);
      hub.emit("pull_request", request.user.login, await showPullEvent(hub, pull, "opened"));
      return { status: 201, body: await showPull(hub, pull) };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    handle: async (hub, request) => ({ status: 200, body: await showPull(hub, requirePull(hub, request), "read") }),
  },
  {
    operation: "PATCH /repos/{owner}/{repo}/pulls/{pull_number}",
    handle: async (hub, request) => {
      const pull = requirePull(hub, request);
      const action = editPull(hub, pull, request);
      hub.emit("pull_request", request.user.login, await showPullEvent(hub, pull, action));
      return { status: 200, body: await showPull(hub, pull) };
    },
  },
];
