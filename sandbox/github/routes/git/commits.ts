import { HttpError, requireFound } from "../../http/http-error.ts";
import { readParam, replyWithPage, type Route } from "../../http/route.ts";
import { showCommit } from "../../shapes/commit.ts";
import { resolveCommit } from "../../state/hub.ts";
import { showPullInList } from "../../shapes/pull-request.ts";

export const commitRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls",
    handle: async (hub, request) => {
      const sha = readParam(request, "commit_sha");
      const commit = await hub.repository.readCommit(sha);
      if (commit === undefined) throw new HttpError(422, `No commit found for SHA: ${sha}`);
      // On the default branch: the pull request that brought the commit. Elsewhere: those whose head contains it.
      const found = [];
      for (const pull of hub.state.pulls) {
        const brought = pull.merged?.sha === sha || pull.head === sha;
        if (brought || (pull.state === "open" && (await hub.commitCounts(sha, pull.head)) === 0)) found.push(pull);
      }
      return replyWithPage(hub, request, found, (page) => page.map((pull) => showPullInList(hub, pull)));
    },
  },
  // The last one: a ref may hold slashes.
  {
    operation: "GET /repos/{owner}/{repo}/commits/{ref}",
    handle: async (hub, request) => {
      const sha = await resolveCommit(hub, readParam(request, "ref"));
      const commit = sha === undefined ? undefined : await hub.repository.readCommit(sha);
      return { status: 200, body: showCommit(hub, requireFound(commit)) };
    },
  },
];
