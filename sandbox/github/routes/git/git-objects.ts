import { HttpError, refuseValidation, requireFound } from "../../http/http-error.ts";
import type { Hub } from "../../state/hub.ts";
import { readParam, readText, requireText, type Route, type RouteRequest } from "../../http/route.ts";
import { showGitCommit } from "../../shapes/commit.ts";
import { apiUrl } from "../../shapes/repository.ts";
import { type TreeChange, writeTree } from "../../http/write-tree.ts";

async function readChange(hub: Hub, given: unknown): Promise<TreeChange> {
  const entry = new Map<string, unknown>(Object.entries(typeof given === "object" && given !== null ? given : {}));
  const [path, mode, sha, content] = [entry.get("path"), entry.get("mode"), entry.get("sha"), entry.get("content")];
  if (typeof path !== "string") throw refuseValidation("Tree", "tree.path is required");
  if (sha === null) return { path, sha: null };
  const blob = typeof content === "string" ? await hub.repository.writeBlob(Buffer.from(content)) : sha;
  if (typeof blob !== "string") throw refuseValidation("Tree", "tree.sha or tree.content is required");
  return { path, sha: blob, mode: typeof mode === "string" ? mode : "100644" };
}

async function writeCommit(hub: Hub, request: RouteRequest): Promise<string> {
  const parents = request.body["parents"];
  const author = hub.sign(request.user.login);
  const list = Array.isArray(parents) ? parents.map(String) : [];
  for (const parent of list) {
    if ((await hub.repository.readCommit(parent)) === undefined)
      throw refuseValidation("Commit", `Parent SHA does not exist: ${parent}`);
  }
  const message = requireText(request, "message", "Commit");
  return hub.repository.writeCommit({
    tree: requireText(request, "tree", "Commit"),
    parents: list,
    message,
    author,
    committer: author,
  });
}

export const gitObjectRoutes: readonly Route[] = [
  {
    operation: "POST /repos/{owner}/{repo}/git/blobs",
    handle: async (hub, request) => {
      const encoding = readText(request, "encoding") === "base64" ? "base64" : "utf8";
      const sha = await hub.repository.writeBlob(Buffer.from(requireText(request, "content", "Blob"), encoding));
      return { status: 201, body: { sha, url: apiUrl(hub, `/git/blobs/${sha}`) } };
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/git/trees",
    handle: async (hub, request) => {
      const given = request.body["tree"];
      if (!Array.isArray(given)) throw new HttpError(422, "Invalid tree info");
      const changes = [];
      for (const entry of given) changes.push(await readChange(hub, entry));
      const sha = await writeTree(hub.repository, readText(request, "base_tree"), changes);
      const entries = await hub.repository.listFolder(sha, "");
      const tree = entries.map(({ mode, type, sha: object, path }) => ({ mode, type, sha: object, path }));
      return { status: 201, body: { sha, url: apiUrl(hub, `/git/trees/${sha}`), truncated: false, tree } };
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/git/commits",
    handle: async (hub, request) => {
      const sha = await writeCommit(hub, request);
      return { status: 201, body: showGitCommit(hub, requireFound(await hub.repository.readCommit(sha))) };
    },
  },
  {
    operation: "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
    handle: async (hub, request) => {
      const commit = requireFound(await hub.repository.readCommit(readParam(request, "commit_sha")));
      return { status: 200, body: showGitCommit(hub, commit) };
    },
  },
];
