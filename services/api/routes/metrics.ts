import type { FastifyInstance } from "fastify";

import type { ServerParts } from "../server-parts.ts";

/** `/metrics`, in Prometheus' text format. */
export function addMetricsRoute(
  app: FastifyInstance,
  { vitals: { metrics }, status, isBusConnected }: ServerParts,
): void {
  metrics.ask("meshroll_bus_connected", "1 while the bus answers", [], () => [[{}, isBusConnected() ? 1 : 0]]);
  metrics.ask("meshroll_status_age_seconds", "Since the planner wrote the fleet's status", [], () => {
    const age = status.ageSeconds();
    return Number.isFinite(age) ? [[{}, age]] : [];
  });
  app.get("/metrics", async (_request, reply) => {
    const { type, text } = await metrics.print();
    return reply.type(type).send(text);
  });
}
