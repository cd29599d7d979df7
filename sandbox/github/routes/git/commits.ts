import { HttpError, requireFound } from "../../http/http-error.ts";
import { resolveCommit } from "../../state/hub.ts";
import { readParam, replyWithPage, type Route } from "../../http/route.ts";
import { showCommit } from "../../shapes/commit.ts";
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
        if (brought || (pull.state === "open" && (await hub.diffs(sha, pull.head)).commits === 0)) found.push(pull);
      }
      return replyWithPage(hub, request, found, (page) => page.map((pull) => showPullInList(hub, pull)));
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/commits",
    handle: async (hub, request) => {
      const from = requireFound(await resolveCommit(hub, request.query.get("sha") ?? hub.defaultBranch));
      const path = request.query.get("path");
      const paths = path === null ? [] : ["--", path];
      const shas = (await hub.repository.git(["rev-list", from, ...paths])).split("\n").filter((sha) => sha !== "");
      const size = Math.min(Number(request.query.get("per_page") ?? 30) || 30, 100);
      const start = (Math.max(Number(request.query.get("page") ?? 1) || 1, 1) - 1) * size;
      const commits = new Map<string, unknown>();
      for (const sha of shas.slice(start, start + size)) {
        commits.set(sha, showCommit(hub, requireFound(await hub.repository.readCommit(sha))));
      }
      return replyWithPage(hub, request, shas, (page) => page.map((sha) => commits.get(sha)));
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/commits/{ref}",
    handle: async (hub, request) => {
      const name = readParam(request, "ref");
      const sha = await resolveCommit(hub, name);
      if (sha === undefined) throw new HttpError(422, `No commit found for SHA: ${name}`);
      return { status: 200, body: showCommit(hub, requireFound(await hub.repository.readCommit(sha))) };
    },
  },
];
