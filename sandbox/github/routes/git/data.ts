import { HttpError, requireFound } from "../../http/http-error.ts";
import { type Hub } from "../../state/hub.ts";
import { readParam, type Route, type RouteRequest } from "../../http/route.ts";
import { showGitCommit } from "../../shapes/commit.ts";
import { apiUrl } from "../../shapes/repository.ts";

interface TreeEntry {
  readonly path: string;
  readonly mode?: string;
  readonly sha?: string | null;
  readonly content?: string;
}

function readTexts({ body }: RouteRequest, name: string): readonly string[] {
  const found = body[name];
  return Array.isArray(found) ? found.map(String) : [];
}

/** The lines of the root folder's tree, by name. */
async function readRoot(hub: Hub, tree: string): Promise<Map<string, string>> {
  const lines = (await hub.repository.git(["ls-tree", tree])).split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => [line.slice(line.indexOf("\t") + 1), line]));
}

async function makeTree(hub: Hub, base: string, entries: readonly TreeEntry[]): Promise<string> {
  const root = await readRoot(hub, base);
  for (const { path, mode = "100644", sha, content } of entries) {
    if (path.includes("/")) throw new HttpError(422, "here only files of the root folder can be written");
    if (sha === null) root.delete(path);
    if (content === undefined) continue;
    const blob = await hub.repository.git(["hash-object", "-w", "--stdin"], { input: content });
    root.set(path, `${mode} blob ${blob.trim()}\t${path}`);
  }
  return (await hub.repository.git(["mktree"], { input: `${[...root.values()].join("\n")}\n` })).trim();
}

/** GitHub's own account is the committer of what an App writes by the API, and signs it; a person's is not signed. */
async function makeCommit(hub: Hub, request: RouteRequest): Promise<string> {
  const { body, user } = request;
  if (body["author"] !== undefined || body["committer"] !== undefined)
    throw new HttpError(422, "here authors and committers cannot be named");
  const isSigned = user.type === "Bot";
  const by = hub.sign(user.login);
  const committer = isSigned ? { ...by, name: "GitHub", email: "noreply@github.com" } : by;
  const commit = {
    tree: String(body["tree"]),
    parents: readTexts(request, "parents"),
    message: String(body["message"]),
  };
  const sha = await hub.repository.writeCommit({ ...commit, author: by, committer });
  if (isSigned) hub.state.signed.add(sha);
  return sha;
}

/** Trees, commits and refs, as git stores them. */
export const dataRoutes: readonly Route[] = [
  {
    operation: "POST /repos/{owner}/{repo}/git/trees",
    handle: async (hub, request) => {
      const entries = request.body["tree"] as readonly TreeEntry[];
      const sha = await makeTree(hub, String(request.body["base_tree"]), entries);
      const url = apiUrl(hub, `/git/trees/${sha}`);
      return { status: 201, body: { sha, url, tree: [], truncated: false } };
    },
  },
  {
    operation: "POST /repos/{owner}/{repo}/git/commits",
    handle: async (hub, request) => {
      const sha = await makeCommit(hub, request);
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
  {
    operation: "GET /repos/{owner}/{repo}/git/ref/{ref}",
    handle: async (hub, request) => {
      const ref = `refs/${readParam(request, "ref")}`;
      const sha = requireFound(hub.branches().get(ref.replace("refs/heads/", "")));
      const object = { type: "commit", sha, url: apiUrl(hub, `/git/commits/${sha}`) };
      return { status: 200, body: { ref, node_id: `REF_${ref}`, url: apiUrl(hub, `/git/${ref}`), object } };
    },
  },
];
