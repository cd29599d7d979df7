import { answerError, answerJson, type Route } from "../http/answer.ts";
import type { ServerParts } from "./server-parts.ts";

/** `/healthz`: the loop turns. `/readyz`: the status is known, so that a load balancer may send people. */
export function createHealthRoutes({ vitals: { pulse }, findObstacle }: ServerParts): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/healthz",
      handle(call) {
        if (pulse.isAlive()) return answerJson(200, { status: "ok" });
        return answerError(call, 503, "Stuck", "the event loop of this process is blocked: restart it");
      },
    },
    {
      method: "GET",
      path: "/readyz",
      handle(call) {
        const obstacle = findObstacle();
        if (obstacle === undefined) return answerJson(200, { status: "ready" });
        return answerError(call, 503, "BusUnavailable", `${obstacle}; this process goes on trying`);
      },
    },
  ];
}
