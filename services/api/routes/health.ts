import type { FastifyInstance } from "fastify";

import { sendError } from "../answer-errors.ts";
import type { ServerParts } from "../server-parts.ts";

/** `/healthz`: the process turns. `/readyz`: it can say something true, so a balancer may send it people. */
export function addHealthRoutes(app: FastifyInstance, { vitals: { pulse }, isBusConnected }: ServerParts): void {
  app.get("/healthz", async (request, reply) => {
    if (pulse.isAlive()) return { status: "ok" };
    return sendError(request, reply, 503, "Stuck", "the loop of this process does not turn any more: restart it");
  });
  app.get("/readyz", async (request, reply) => {
    if (isBusConnected()) return { status: "ready" };
    return sendError(request, reply, 503, "BusUnavailable", "the bus does not answer; this process goes on trying");
  });
}
