import type { IncomingMessage, ServerResponse } from "node:http";

import { type Incoming, type RateLimit, sendReply, toErrorReply, toFaultReply, toPage } from "../http/answer.ts";
import { hasPermission, requirePermission } from "../http/app-rights.ts";
import { authenticate, readToken } from "../http/authenticate.ts";
import type { FaultEffect, Faults } from "../state/faults.ts";
import { HttpError } from "../http/http-error.ts";
import type { RequestCheck } from "../described/check-requests.ts";
import type { Hub } from "../state/hub.ts";
import type { Exchange, GithubUser } from "../state/options.ts";
import type { Past } from "./past.ts";
import type { Reply } from "../http/route.ts";
import { requireWebToken } from "../http/web-token.ts";
import { isAppPath } from "../routes/app.ts";
import { findRoute } from "./router.ts";
import { isGitPath, readBody, serveGit } from "../push/smart-http.ts";

/** What all requests need. */
export interface Service {
  readonly hub: Hub;
  readonly faults: Faults;
  readonly rate: RateLimit;
  readonly serial: <T>(work: () => Promise<T>) => Promise<T>;
  /** Updates pull requests after branches moved. */
  readonly follow: (login?: string) => Promise<void>;
  readonly folder: string;
  readonly clock: () => number;
  readonly record: (exchange: Exchange) => void;
  /** What GitHub's description does not allow in a request. */
  readonly checkRequest: RequestCheck;
  readonly past: Past;
}

async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const text = (await readBody(request)).toString();
  if (text === "") return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    throw new HttpError(400, "Problems parsing JSON");
  }
  throw new HttpError(400, "Body should be a JSON object");
}

/** In a public repository everyone may read, review and comment. */
function requireRights(user: GithubUser, operation: string): void {
  if (user.permissions !== undefined) requirePermission(user.permissions, operation);
  const isOpenToAll =
    operation.startsWith("GET ") || operation === "POST /graphql" || /\/(?:reviews|comments)$/.test(operation);
  if (user.mayWrite === false && !isOpenToAll)
    throw new HttpError(403, "Resource not accessible by personal access token");
}

interface Handled {
  readonly reply: Reply;
  readonly route?: string;
}

/** The user of a request: for the App's own paths the App, by its web token, else the account of a token. */
function requireUser({ hub }: Service, request: IncomingMessage, path: string): GithubUser {
  if (isAppPath(path)) {
    if (hub.app === undefined) throw new HttpError(401, "A JSON web token could not be decoded");
    requireWebToken(readToken(request), hub.app);
    return { login: `${hub.app.app.slug}[bot]`, token: "" };
  }
  const user = authenticate(request, hub);
  if (user !== undefined && hub.app?.app.suspended === true && user.permissions !== undefined)
    throw new HttpError(403, "This installation has been suspended");
  if (user !== undefined) return user;
  const isSilent = request.headers.authorization === undefined;
  throw new HttpError(401, isSilent ? "Requires authentication" : "Bad credentials");
}

/** True for a question, which changes nothing; GraphQL's are sent by POST, and no change of GraphQL's is known here. */
function isRead(route: string): boolean {
  return route.startsWith("GET ") || route === "POST /graphql";
}

/** What a request sees: by a fault the repository of a while ago. */
function chooseView({ hub, past, clock }: Service, route: string, effect: FaultEffect | undefined): Hub {
  if (!isRead(route)) past.note(hub, clock());
  else if (effect?.kind === "old") return { ...hub, ...past.find(clock() - effect.byMs) };
  return hub;
}

async function handle(
  service: Service,
  request: IncomingMessage,
  url: URL,
  effect: FaultEffect | undefined,
): Promise<Handled> {
  const { hub, serial, follow } = service;
  let route: string | undefined;
  try {
    const body = await readJson(request);
    const user = requireUser(service, request, url.pathname);
    const match = findRoute(hub, request.method ?? "GET", url.pathname);
    if (match === undefined) throw new HttpError(404, "Not Found");
    route = match.route.operation;
    if (!isAppPath(url.pathname)) requireRights(user, route);
    const target = `${url.pathname}${url.search}`;
    const fault = service.checkRequest({ route, params: match.params, query: url.searchParams, body });
    const reply = await serial(async () => {
      // A push, or a change on disk, before this request must show in its answer.
      await follow();
      const view = chooseView(service, match.route.operation, effect);
      const made = await match.route.handle(view, {
        params: match.params,
        query: url.searchParams,
        body,
        user,
        target,
      });
      if (request.method !== "GET") await follow(user.login);
      // A wrong request that is refused has its answer; one that is carried out would hide the mistake.
      if (fault !== undefined) throw new Error(fault);
      return made;
    });
    return { reply, route };
  } catch (error) {
    return route === undefined ? { reply: toErrorReply(error) } : { reply: toErrorReply(error), route };
  }
}

/** Sends the answer, unless a fault loses or replaces it; returns the status that was sent, 0 for none. */
function answerBy(effect: FaultEffect | undefined, { rate }: Service, exchange: Incoming, reply: Reply): number {
  if (effect?.kind === "loseAnswer") {
    exchange.response.destroy();
    return 0;
  }
  return sendReply(exchange, effect?.kind === "failAfter" ? toPage(effect.status) : reply, rate, effect);
}

async function serveApi(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  effect: FaultEffect | undefined,
): Promise<void> {
  const user = authenticate(request, service.hub);
  const { reply, route } = await handle(service, request, url, effect);
  const status = answerBy(effect, service, { request, response }, reply);
  service.record({
    method: request.method ?? "GET",
    path: `${url.pathname}${url.search}`,
    status,
    ...(route === undefined ? {} : { route }),
    ...(user === undefined ? {} : { login: user.login }),
    ...(reply.body === undefined || status === 304 ? {} : { body: reply.body }),
  });
}

/** As on GitHub, an account that may not write is refused before git lists any ref. */
function findGitObstacle({ owner, repo, app }: Hub, url: URL, user: GithubUser): string | undefined {
  const pushes = url.pathname.endsWith("/git-receive-pack") || url.searchParams.get("service") === "git-receive-pack";
  const needed = pushes ? "write" : "read";
  if (user.permissions !== undefined && app?.app.suspended === true) return "This installation has been suspended\n";
  // GitHub words it this way for reads, too.
  if (user.permissions !== undefined && !hasPermission(user.permissions, "contents", needed))
    return "Write access to repository not granted.\n";
  return pushes && user.mayWrite === false
    ? `Permission to ${owner}/${repo}.git denied to ${user.login}.\n`
    : undefined;
}

async function serveGitPath(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  effect: FaultEffect | undefined,
): Promise<void> {
  const { hub, folder, serial, follow, record } = service;
  const user = authenticate(request, hub);
  const entry = { method: request.method ?? "GET", path: `${url.pathname}${url.search}` };
  if (user === undefined) {
    const text = "Invalid username or token. Password authentication is not supported for Git operations.\n";
    response.writeHead(401, { "www-authenticate": 'Basic realm="GitHub"' }).end(text);
    record({ ...entry, status: 401 });
    return;
  }
  const obstacle = findGitObstacle(hub, url, user);
  if (obstacle !== undefined) {
    response.writeHead(403, { "content-type": "text/plain; charset=utf-8" }).end(obstacle);
    record({ ...entry, status: 403, login: user.login });
    return;
  }
  // Changes before this push must not count as this push's.
  if (url.pathname.endsWith("/git-receive-pack")) await serial(async () => follow());
  const pushed = async (): Promise<number | undefined> => {
    await serial(async () => follow(user.login));
    // The push is done, but its client does not get the answer.
    if (effect?.kind === "loseAnswer") response.destroy();
    return effect?.kind === "failAfter" ? effect.status : undefined;
  };
  const status = await serveGit(hub, { folder, request, response, url, user }, pushed);
  record({ ...entry, status, login: user.login });
}

/** Sends one byte each second until the client gives up. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/octet-stream" });
  const timer = setInterval(() => response.write("0"), 1000);
  response.on("close", () => clearInterval(timer));
}

/** False for an effect that gives an answer, or changes one. */
function leaveWithoutAnswer(response: ServerResponse, effect: FaultEffect): boolean {
  if (effect.kind === "hang") void effect.until?.then(() => response.destroy());
  else if (effect.kind === "drip") drip(response);
  else if (effect.kind === "reset") response.destroy();
  else return false;
  return true;
}

/** Applies a fault instead of serving; false when the request is served (and only its answer is changed). */
async function failInstead(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
  effect: FaultEffect,
): Promise<boolean> {
  const entry = { method: request.method ?? "GET", path: request.url ?? "/" };
  if (leaveWithoutAnswer(response, effect)) {
    service.record({ ...entry, status: 0 });
    return true;
  }
  const instead = toFaultReply(effect, service.clock());
  if (instead === undefined) return false;
  await readBody(request);
  service.record({ ...entry, status: sendReply({ request, response }, instead, service.rate, undefined) });
  return true;
}

/** The repository's id, by which it is also found after a renaming. */
const numbered = "/repositories/1";

/** Where an old address redirects after the renaming; undefined = it is served here. */
function findNewAddress(hub: Hub, url: URL): string | undefined {
  if (!hub.isMoved()) return undefined;
  const [api, git] = [`/repos/${hub.owner}/${hub.repo}`, `/${hub.owner}/${hub.repo}.git`];
  if (url.pathname.startsWith(git))
    return `/${hub.owner}/${hub.repo}-renamed.git${url.pathname.slice(git.length)}${url.search}`;
  if (!url.pathname.startsWith(api)) return undefined;
  return `${numbered}${url.pathname.slice(api.length)}${url.search}`;
}

/** True when the request was redirected. A path with the repository's id is served like one with its name. */
function redirect({ hub, record }: Service, url: URL, method: string, response: ServerResponse): boolean {
  const location = findNewAddress(hub, url);
  if (url.pathname.startsWith(`${numbered}/`))
    url.pathname = `/repos/${hub.owner}/${hub.repo}${url.pathname.slice(numbered.length)}`;
  if (location === undefined) return false;
  // As on GitHub: a write is redirected with its method.
  const status = method === "GET" ? 301 : 307;
  response.writeHead(status, { location: new URL(location, hub.url()).href }).end();
  record({ method, path: `${url.pathname}${url.search}`, status });
  return true;
}

/** By the clock that web tokens are compared with, and by which the hour of the rate limit ends. */
function setDate({ hub, clock }: Service, response: ServerResponse): void {
  response.setHeader("date", new Date(hub.app?.now() ?? clock()).toUTCString());
}

/** A fault that a test has set, or the end of the hour's requests, which git is not among. */
function findEffect({ faults, rate }: Service, method: string, path: string, isGit: boolean): FaultEffect | undefined {
  return faults.takeForRequest(method, path) ?? (isGit ? undefined : rate.findRefusal());
}

/** Serves one request: a fault, git's client, or the API. */
export async function serve(shared: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const receivedAt = performance.now();
  setDate(shared, response);
  const service: Service = { ...shared, record: (exchange) => shared.record({ ...exchange, receivedAt }) };
  const url = new URL(request.url ?? "/", service.hub.url());
  const [method, path] = [request.method ?? "GET", `${url.pathname}${url.search}`];
  if (redirect(service, url, method, response)) return;
  try {
    const isGit = isGitPath(service.hub, url.pathname);
    const effect = findEffect(service, method, path, isGit);
    if (effect !== undefined && (await failInstead(service, request, response, effect))) return;
    if (effect?.kind === "wait") {
      effect.onWaiting();
      await effect.until;
    }
    const serveIt = isGit ? serveGitPath : serveApi;
    await serveIt(service, request, response, url, effect);
  } catch (error) {
    // The client closed the connection, or the stand-in has a bug: either way the connection ends.
    service.record({ method, path, status: 0, body: String(error) });
    response.destroy();
  }
}
