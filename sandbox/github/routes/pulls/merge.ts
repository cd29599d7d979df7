import { HttpError, requireFound } from "../../http/http-error.ts";
import type { Hub } from "../../state/hub.ts";
import { makeMergeCommit, type MergeWish } from "../../state/merge.ts";
import type { MergeMethod } from "../../state/options.ts";
import { findMergeObstacle, isBehind, mustQueue } from "../../state/protection.ts";
import { readText, type Route, type RouteRequest } from "../../http/route.ts";
import { showPullEvent } from "../../shapes/pull-request.ts";
import type { Pull } from "../../state/state.ts";
import { requirePull } from "./pulls.ts";

const names: Readonly<Record<MergeMethod, string>> = {
  merge: "Merge commits",
  squash: "Squash merges",
  rebase: "Rebase merges",
};

function readWish(hub: Hub, request: RouteRequest): MergeWish {
  const asked = readText(request, "merge_method") ?? "merge";
  const method = (["merge", "squash", "rebase"] as const).find((name) => name === asked);
  if (method === undefined) throw new HttpError(422, "Validation Failed", [{ field: "merge_method", code: "invalid" }]);
  if (!hub.mergeMethods.includes(method))
    throw new HttpError(405, `${names[method]} are not allowed on this repository.`);
  const isForbidden = (hub.protection.rules ?? []).some(({ type }) => type === "required_linear_history");
  if (isForbidden && method === "merge") throw new HttpError(405, "Merge commits are not allowed on this repository.");
  const [title, message] = [readText(request, "commit_title"), readText(request, "commit_message")];
  return {
    method,
    by: request.user.login,
    ...(title === undefined ? {} : { title }),
    ...(message === undefined ? {} : { message }),
  };
}

async function requireMergeable(hub: Hub, pull: Pull, request: RouteRequest): Promise<void> {
  if (pull.state === "closed" || pull.draft) throw new HttpError(405, "Pull Request is not mergeable");
  const expected = readText(request, "sha");
  if (expected !== undefined && expected !== pull.head) {
    throw new HttpError(409, "Head branch was modified. Review and try the merge again.");
  }
  if (mustQueue(hub, pull, request.user.login))
    throw new HttpError(405, "Changes must be made through the merge queue.");
  const obstacle = await findMergeObstacle(hub, pull, request.user.login);
  if (obstacle !== undefined) throw new HttpError(405, obstacle);
  if (await isBehind(hub, pull))
    throw new HttpError(405, "Head branch is out of date. Update it with the base branch first.");
}

async function merge(hub: Hub, pull: Pull, wish: MergeWish): Promise<string> {
  const base = requireFound(hub.branches().get(pull.base));
  const sha = await makeMergeCommit(hub, pull, base, wish);
  if (sha === undefined) throw new HttpError(405, "Pull Request is not mergeable");
  if (!(await hub.repository.moveBranch(pull.base, sha, base))) {
    throw new HttpError(405, "Base branch was modified. Review and try the merge again.");
  }
  const at = hub.now();
  pull.merged = { at, by: wish.by, sha, baseSha: base, method: wish.method };
  pull.state = "closed";
  pull.closedAt = at;
  pull.updatedAt = at;
  return sha;
}

export const mergeRoutes: readonly Route[] = [
  {
    operation: "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge",
    handle: async (hub, request) => {
      const pull = requirePull(hub, request);
      const wish = readWish(hub, request);
      await requireMergeable(hub, pull, request);
      const sha = await merge(hub, pull, wish);
      hub.emit("pull_request", request.user.login, await showPullEvent(hub, pull, "closed"));
      return { status: 200, body: { sha, merged: true, message: "Pull Request successfully merged" } };
    },
  },
];
