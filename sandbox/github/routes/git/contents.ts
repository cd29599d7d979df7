import type { TreeEntry } from "../../git/bare-repository.ts";
import { HttpError, refuseValidation, requireFound } from "../../http/http-error.ts";
import { type Hub, resolveCommit } from "../../state/hub.ts";
import { findPushObstacle } from "../../state/protection.ts";
import { readParam, readText, requireText, type Route, type RouteRequest } from "../../http/route.ts";
import { showGitCommit } from "../../shapes/commit.ts";
import { apiUrl, htmlUrl } from "../../shapes/repository.ts";
import { writeTree } from "../../http/write-tree.ts";

type Shape = Readonly<Record<string, unknown>>;

const types: Readonly<Record<string, string>> = { "120000": "symlink", "160000": "submodule", "040000": "dir" };

function showEntry(hub: Hub, entry: TreeEntry, ref: string): Shape {
  const self = apiUrl(hub, `/contents/${entry.path}?ref=${ref}`);
  const html = htmlUrl(hub, `/blob/${ref}/${entry.path}`);
  const git = apiUrl(hub, `/git/blobs/${entry.sha}`);
  return {
    type: types[entry.mode] ?? "file",
    name: entry.path.split("/").at(-1),
    path: entry.path,
    sha: entry.sha,
    size: entry.size,
    url: self,
    git_url: git,
    html_url: html,
    download_url: htmlUrl(hub, `/raw/${ref}/${entry.path}`),
    _links: { self, git, html },
  };
}

async function findEntry(hub: Hub, commit: string, path: string): Promise<TreeEntry | undefined> {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  return (await hub.repository.listFolder(commit, folder)).find((entry) => entry.path === path);
}

async function showFile(hub: Hub, entry: TreeEntry, ref: string): Promise<Shape> {
  const blob = await hub.repository.readBlob(entry.sha);
  if (entry.mode === "120000") return { ...showEntry(hub, entry, ref), target: blob.toString() };
  return {
    ...showEntry(hub, entry, ref),
    encoding: "base64",
    content: blob.toString("base64").replace(/.{60}/g, "$&\n"),
  };
}

/** GitHub wants the blob that is replaced, so that no client overwrites what it never saw. */
function requireExpected(path: string, current: TreeEntry | undefined, given: string | undefined): void {
  if (current === undefined) return;
  if (given === undefined) throw refuseValidation("Content", `Invalid request.\n\n"sha" wasn't supplied.`);
  if (given !== current.sha) throw new HttpError(409, `${path} does not match ${given}`);
}

async function putFile(hub: Hub, request: RouteRequest): Promise<{ readonly created: boolean; readonly body: Shape }> {
  const path = readParam(request, "path");
  const branch = readText(request, "branch") ?? hub.defaultBranch;
  const obstacle = findPushObstacle(hub, branch, request.user);
  if (obstacle !== undefined) throw new HttpError(409, obstacle);
  const head = requireFound(hub.branches().get(branch));
  const current = await findEntry(hub, head, path);
  requireExpected(path, current, readText(request, "sha"));
  const content = Buffer.from(requireText(request, "content", "Content"), "base64");
  const blob = await hub.repository.writeBlob(content);
  const tree = await writeTree(hub.repository, head, [{ path, sha: blob, mode: "100644" }]);
  const author = hub.sign(request.user.login);
  const message = requireText(request, "message", "Content");
  const sha = await hub.repository.writeCommit({ tree, parents: [head], message, author, committer: author });
  if (!(await hub.repository.moveBranch(branch, sha, head))) throw new HttpError(409, `${branch} was moved meanwhile`);
  const entry: TreeEntry = { mode: "100644", type: "blob", sha: blob, size: content.length, path };
  const commit = showGitCommit(hub, requireFound(await hub.repository.readCommit(sha)));
  return { created: current === undefined, body: { content: showEntry(hub, entry, branch), commit } };
}

export const contentRoutes: readonly Route[] = [
  {
    operation: "GET /repos/{owner}/{repo}/contents/{path}",
    handle: async (hub, request) => {
      const ref = request.query.get("ref") ?? hub.defaultBranch;
      const path = readParam(request, "path").replace(/\/$/, "");
      const commit = requireFound(await resolveCommit(hub, ref));
      const entry = path === "" ? undefined : requireFound(await findEntry(hub, commit, path));
      if (entry !== undefined && entry.type !== "tree") return { status: 200, body: await showFile(hub, entry, ref) };
      const entries = await hub.repository.listFolder(commit, path);
      return { status: 200, body: entries.map((child) => showEntry(hub, child, ref)) };
    },
  },
  {
    operation: "PUT /repos/{owner}/{repo}/contents/{path}",
    handle: async (hub, request) => {
      const { created, body } = await putFile(hub, request);
      return { status: created ? 201 : 200, body };
    },
  },
];
