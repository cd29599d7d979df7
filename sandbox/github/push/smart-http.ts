import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";

import type { Hub } from "../state/hub.ts";
import type { GithubUser } from "../state/options.ts";
import { findPushObstacle } from "../state/protection.ts";
import { parsePushCommands, printRefusal } from "./receive-pack.ts";
import { buildGitEnvironment } from "../git/run-git.ts";

/** True for the three paths that git's client uses. */
export function isGitPath(hub: Hub, path: string): boolean {
  const rest = path.startsWith(`/${hub.owner}/${hub.repo}.git/`)
    ? path.slice(hub.owner.length + hub.repo.length + 7)
    : "";
  return ["info/refs", "git-upload-pack", "git-receive-pack"].includes(rest);
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** Headers of a CGI response, with the status taken out of them. */
function parseHead(text: string): { readonly status: number; readonly headers: Readonly<Record<string, string>> } {
  const headers: Record<string, string> = {};
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const status = Number.parseInt(headers["status"] ?? "200", 10);
  delete headers["status"];
  return { status, headers };
}

interface CgiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

async function runBackend(
  folder: string,
  request: IncomingMessage,
  url: URL,
  user: GithubUser,
  body: Buffer,
): Promise<CgiAnswer> {
  const env = buildGitEnvironment({
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: url.pathname,
    QUERY_STRING: url.search.slice(1),
    REQUEST_METHOD: request.method ?? "GET",
    CONTENT_TYPE: request.headers["content-type"] ?? "",
    CONTENT_LENGTH: String(body.length),
    GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    REMOTE_USER: user.login,
  });
  const child = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "ignore"] });
  // The backend may answer an error without reading its input; its exit code says so.
  child.stdin.on("error", () => undefined);
  child.stdin.end(body);
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(Buffer.from(chunk as Uint8Array));
  const output = Buffer.concat(chunks);
  const end = output.indexOf("\r\n\r\n");
  return { ...parseHead(output.toString("latin1", 0, end)), body: output.subarray(end + 4) };
}

export interface GitExchange {
  readonly folder: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly user: GithubUser;
}

/** Why this push may not move its refs; undefined when it may. */
function findRefusal(hub: Hub, refs: readonly string[], user: GithubUser): string | undefined {
  for (const ref of refs) {
    const obstacle = findPushObstacle(hub, ref.replace("refs/heads/", ""), user);
    if (obstacle !== undefined) return `Protected branch update failed for ${ref}: ${obstacle}`;
  }
  return undefined;
}

/**
 * Serves git's client. `pushed` runs after a push and before its answer: pull requests are up to date when the client gets it. It
 * may give a status with which the push is answered although it was carried out.
 */
export async function serveGit(
  hub: Hub,
  exchange: GitExchange,
  pushed: () => Promise<number | undefined>,
): Promise<number> {
  const { folder, request, response, url, user } = exchange;
  const sent = await readBody(request);
  const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
  const pushes = url.pathname.endsWith("/git-receive-pack");
  if (pushes) {
    const commands = parsePushCommands(body);
    const refusal = findRefusal(hub, commands.refs, user);
    if (refusal !== undefined) {
      response.writeHead(200, { "content-type": "application/x-git-receive-pack-result", "cache-control": "no-cache" });
      response.end(printRefusal(commands, refusal));
      return 200;
    }
  }
  const answer = await runBackend(folder, request, url, user, body);
  const instead = pushes ? await pushed() : undefined;
  if (instead !== undefined) {
    response.writeHead(instead, { "content-type": "text/html" }).end();
    return instead;
  }
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
  return answer.status;
}
