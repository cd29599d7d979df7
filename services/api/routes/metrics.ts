import type { Route } from "../http/answer.ts";
import type { ServerParts } from "./server-parts.ts";

/** `/metrics`, in Prometheus' text format. */
export function createMetricsRoute({ vitals: { metrics }, status, isBusConnected }: ServerParts): Route {
  metrics.ask("meshroll_bus_connected", "1 while the bus answers", [], () => [[{}, isBusConnected() ? 1 : 0]]);
  metrics.ask("meshroll_status_age_seconds", "Since the planner wrote the fleet's status", [], () => {
    const age = status.ageSeconds();
    return Number.isFinite(age) ? [[{}, age]] : [];
  });
  return {
    method: "GET",
    path: "/metrics",
    async handle() {
      const { type, text } = await metrics.print();
      return { status: 200, type, body: text };
    },
  };
}
