import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { boundUntaken, boundWaiting, type Logger, redactSecrets } from "#libs/runtime";

import { type Answer, answerError, type Call, type Route } from "./answer.ts";
import { judgeCaller } from "./judge-caller.ts";
import { BodyRefused, createBodyReader } from "./read-body.ts";

/** GitHub's largest payload is 25 MB. Pushes and reviews are far smaller; the changes in a larger one are found by polling. */
const bodyLimit = 5 * 1024 * 1024;
/** Real ms within which a request must arrive; the last value is how often that is checked. */
const limits = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 } as const;
/** Most bodies that are read, and most connections that wait for their request, at a time. */
const mostBodies = 256;
const mostWaiting = 512;
/** Most answers, and bytes of them, that wait for callers to take them. */
const mostUntaken = { mostMembers: 512, mostWeight: 64 * 1024 * 1024 } as const;

const securityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

export interface HttpOptions {
  readonly routes: readonly Route[];
  readonly log: Logger;
  /** Host names under which browsers reach it, in lower case. */
  readonly names?: ReadonlySet<string>;
  /**
   * Called for each answer with the route's path or `none`, never the request's path: a scanner would make a series of each.
   */
  readonly onAnswer: (route: string, status: number) => void;
}

/** The caller's request id, where it has the form of one; else a new one. It appears in logs and headers. */
function nameRequest(given: string | readonly string[] | undefined): string {
  const isOne = typeof given === "string" && /^[\w-]{1,64}$/.test(given) && redactSecrets(given) === given;
  return isOne ? given : randomUUID();
}

/** The path without the query; undefined where its percent-encoding is invalid. */
function readPath(url = ""): string | undefined {
  const path = url.replace(/\?.*$/, "");
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    // The caller is told that the request cannot be read.
    return undefined;
  }
}

/** Whether a request's path matches that of a route. */
function compilePath(path: string): (given: string) => boolean {
  if (!path.includes("{")) return (given) => given === path;
  const parts = path.split("/");
  return (given) => {
    const found = given.split("/");
    return found.length === parts.length && parts.every((part, at) => part === found[at] || isAny(part, found[at]));
  };
}

function isAny(part: string, found = ""): boolean {
  return part.startsWith("{") && found !== "";
}

const refusedBodies = {
  TooLarge: [413, "the body is too large"],
  Busy: [503, "dropped for newer deliveries: the planner finds the change by polling"],
  Aborted: [400, "the request cannot be read"],
} as const;

const refusedCallers = {
  UnknownName: [
    421,
    "UnknownName",
    "the name in the request's Host header is not known here: add it to MESHROLL_API_NAMES",
  ],
  AnotherSite: [403, "AnotherSite", "the page of another site sent this request: open the address in its own window"],
} as const;

function answerRefused(call: Call, refused: keyof typeof refusedCallers): Answer {
  const [status, name, message] = refusedCallers[refused];
  return answerError(call, status, name, message);
}

function answerFault(call: Call, route: string, error: unknown, log: Logger): Answer {
  if (error instanceof BodyRefused) {
    const [status, message] = refusedBodies[error.reason];
    const name = error.reason === "Aborted" ? "BadRequest" : error.reason;
    return answerError(call, status, name, message, { connection: "close" });
  }
  // Details are logged and not answered: the caller may be anyone.
  log.error({ error, requestId: call.id, route }, "a request failed");
  return answerError(call, 500, "Internal", "the request failed; the log has the reason under this requestId");
}

type Send = (response: ServerResponse, answer: Answer) => void;

/** Sends answers; memory for those that callers do not take is bounded. */
function createSender(): Send {
  const keepUntaken = boundUntaken(mostUntaken);
  return (response, { status, headers, type, body }) => {
    response.writeHead(status, { ...headers, "content-type": type }).end(body);
    keepUntaken(response, Buffer.byteLength(body));
  };
}

/** The HTTP server, not listening yet: routes by whole paths, security headers on every answer. */
export function createHttpServer({ routes, log, names = new Set(), onAnswer }: HttpOptions): Server {
  const readBody = createBodyReader(bodyLimit, mostBodies);
  const send = createSender();

  const compiled = routes.map((route) => ({ route, fits: compilePath(route.path) }));

  function find(method = "", path: string): Route | undefined {
    return compiled.find(({ route, fits }) => route.method === method && fits(path))?.route;
  }

  async function answer(call: Call, path: string | undefined, route: Route | undefined): Promise<Answer | "streaming"> {
    if (path === undefined) return answerError(call, 400, "BadRequest", "the request cannot be read");
    const refused = route?.isSigned === true ? undefined : judgeCaller(call.request.headers, names);
    if (refused !== undefined) return answerRefused(call, refused);
    if (route !== undefined) return route.handle(call);
    return answerError(call, 404, "NotFound", "there is nothing here; docs/reference/http-api.md lists what is");
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = nameRequest(request.headers["x-request-id"]);
    const query = new URLSearchParams(/\?(.*)$/s.exec(request.url ?? "")?.[1] ?? "");
    const call: Call = { id, request, response, query, readBody: async (most) => readBody(request, most) };
    for (const [name, value] of Object.entries({ ...securityHeaders, "x-request-id": id }))
      response.setHeader(name, value);
    const path = readPath(request.url);
    const route = path === undefined ? undefined : find(request.method, path);
    const name = route?.path ?? "none";
    const given = await answer(call, path, route).catch((error: unknown) => answerFault(call, name, error, log));
    onAnswer(name, given === "streaming" ? 200 : given.status);
    if (given !== "streaming") send(response, given);
  }

  const server = createServer({ ...limits, keepAliveTimeout: 5_000 }, (request, response) => {
    // A caller that disconnected is no error of ours; an error of a route became an answer before.
    response.on("error", () => response.destroy());
    serve(request, response).catch((error: unknown) => {
      log.error({ error }, "an answer could not be sent");
      response.destroy();
    });
  });
  boundWaiting(server, mostWaiting);
  return server;
}
