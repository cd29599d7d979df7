import { HttpError, refuseValidation, requireFound } from "../../http/http-error.ts";
import type { Hub } from "../../state/hub.ts";
import type { GithubUser } from "../../state/options.ts";
import { findPushObstacle } from "../../state/protection.ts";
import { readParam, replyWithPage, requireText, type Route } from "../../http/route.ts";
import { apiUrl } from "../../shapes/repository.ts";

type Shape = Readonly<Record<string, unknown>>;

function showRef(hub: Hub, branch: string, sha: string): Shape {
  const object = { type: "commit", sha, url: apiUrl(hub, `/git/commits/${sha}`) };
  return {
    ref: `refs/heads/${branch}`,
    node_id: `REF_${branch}`,
    url: apiUrl(hub, `/git/refs/heads/${branch}`),
    object,
  };
}

/** Only branches are served: `heads/<branch>`. */
function readBranch(name: string): string {
  const branch = /^(?:refs\/)?heads\/(.+)$/.exec(name)?.[1];
  if (branch === undefined) throw new HttpError(422, "Reference name must start with 'refs/heads/'");
  return branch;
}

function requireFree(hub: Hub, branch: string, user: GithubUser): void {
  const obstacle = findPushObstacle(hub, branch, user);
  if (obstacle !== undefined) throw new HttpError(422, obstacle);
}

async function requireCommit(hub: Hub, sha: string): Promise<string> {
  if ((await hub.repository.readCommit(sha)) === undefined)
    throw refuseValidation("Reference", "Object does not exist");
  return sha;
}

export const gitRefRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/git/ref/{ref}",
    handle: async (hub, request) => {
      const branch = /^heads\/(.+)$/.exec(readParam(request, "ref"))?.[1] ?? "";
      return { status: 200, body: showRef(hub, branch, requireFound(hub.branches().get(branch))) };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/git/matching-refs/{ref}",
    handle: async (hub, request) => {
      const prefix = readParam(request, "ref").replace(/^heads\//, "");
      const found = [...hub.branches()].filter(([branch]) => branch.startsWith(prefix));
      return replyWithPage(hub, request, found, (page) => page.map(([branch, sha]) => showRef(hub, branch, sha)));
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/git/refs",
    handle: async (hub, request) => {
      const branch = readBranch(requireText(request, "ref", "Reference"));
      const sha = await requireCommit(hub, requireText(request, "sha", "Reference"));
      requireFree(hub, branch, request.user);
      if (!(await hub.repository.moveBranch(branch, sha, undefined)))
        throw new HttpError(422, "Reference already exists");
      return { status: 201, body: showRef(hub, branch, sha) };
    },
  },
  {
    operation: "PATCH /repos/{owner}/{repo}/git/refs/{ref}",
    handle: async (hub, request) => {
      const branch = readBranch(readParam(request, "ref"));
      const from = hub.branches().get(branch);
      if (from === undefined) throw new HttpError(422, "Reference does not exist");
      const sha = await requireCommit(hub, requireText(request, "sha", "Reference"));
      requireFree(hub, branch, request.user);
      const forward = request.body["force"] === true || (await hub.repository.isAncestor(from, sha));
      if (!forward || !(await hub.repository.moveBranch(branch, sha, from)))
        throw new HttpError(422, "Update is not a fast forward");
      return { status: 200, body: showRef(hub, branch, sha) };
    },
  },
  {
    operation: "DELETE /repos/{owner}/{repo}/git/refs/{ref}",
    handle: async (hub, request) => {
      const branch = readBranch(readParam(request, "ref"));
      const from = hub.branches().get(branch);
      if (from === undefined) throw new HttpError(422, "Reference does not exist");
      requireFree(hub, branch, request.user);
      await hub.repository.moveBranch(branch, undefined, from);
      return { status: 204 };
    },
  },
];
