import { randomUUID } from "node:crypto";

import { redactSecrets } from "#libs/runtime";
import { fastify, type FastifyInstance, type FastifyReply } from "fastify";

import { answerErrors, sendError } from "./answer-errors.ts";
import { addEventsRoute } from "./routes/events.ts";
import { addHealthRoutes } from "./routes/health.ts";
import { addMetricsRoute } from "./routes/metrics.ts";
import { addStatusRoute } from "./routes/status.ts";
import { addWebhookRoute } from "./routes/webhook.ts";
import type { ServerParts } from "./server-parts.ts";

/** GitHub's largest payload is 25 MB; a push or review is far below this, and a larger one is found by polling. */
const bodyLimit = 5 * 1024 * 1024;
/** A request that is not here after so long is nobody's, real ms. */
const requestTimeout = 10_000;

const securityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/** A caller's own request id, when it is one; else ours. It goes into logs and headers. */
function nameRequest(given: string | readonly string[] | undefined): string {
  const isOne = typeof given === "string" && /^[\w-]{1,64}$/.test(given) && redactSecrets(given) === given;
  return isOne ? given : randomUUID();
}

function addHooks(app: FastifyInstance, { vitals }: ServerParts): void {
  const requests = vitals.metrics.count("meshroll_http_requests_total", "Requests by route and status", [
    "route",
    "status",
  ]);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...securityHeaders, "x-request-id": request.id });
  });
  app.addHook("onResponse", async (request, reply) => {
    // The route's pattern, never the path: a scanner would make a series of each of its tries.
    requests.add({ route: request.routeOptions.url ?? "none", status: String(reply.statusCode) });
  });
}

/** The HTTP server, not listening yet. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    bodyLimit,
    requestTimeout,
    exposeHeadRoutes: false,
    // Readers of events never end by themselves.
    forceCloseConnections: true,
    genReqId: (request) => nameRequest(request.headers["x-request-id"]),
    frameworkErrors: (_error, request, reply) => {
      void reply.headers(securityHeaders);
      sendError(request, reply as FastifyReply, 400, "BadRequest", "the request cannot be read");
    },
  });
  addHooks(app, parts);
  answerErrors(app, parts.log);
  addHealthRoutes(app, parts);
  addMetricsRoute(app, parts);
  addStatusRoute(app, parts);
  addEventsRoute(app, parts);
  await app.register(async (scope) => addWebhookRoute(scope, parts));
  return app;
}
