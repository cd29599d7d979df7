import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { createHttpServer } from "./http/create-http-server.ts";
import { createEventsRoute } from "./routes/events.ts";
import { createHealthRoutes } from "./routes/health.ts";
import { createHistoryRoute } from "./routes/history.ts";
import { createMetricsRoute } from "./routes/metrics.ts";
import { createNamespacesRoute } from "./routes/namespaces.ts";
import { createPageRoutes } from "./routes/page.ts";
import { createPicturesRoute } from "./routes/pictures.ts";
import { createRunsRoute } from "./routes/runs.ts";
import { createStatusRoute } from "./routes/status.ts";
import { createVmRoutes } from "./routes/vms.ts";
import { createWebhookRoute } from "./routes/webhook.ts";
import type { ServerParts } from "./routes/server-parts.ts";

export interface ApiServer {
  /** Listens and returns the URL. Throws the system's error when the address is not available. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  close(): Promise<void>;
}

/** The api's HTTP server, not listening yet. */
export function createServer(parts: ServerParts): ApiServer {
  const { log, vitals } = parts;
  const requests = vitals.metrics.count("meshroll_http_requests_total", "Requests by route and status", [
    "route",
    "status",
  ]);
  const server = createHttpServer({
    log,
    names: parts.names,
    routes: [
      ...createHealthRoutes(parts),
      createMetricsRoute(parts),
      createStatusRoute(parts),
      createNamespacesRoute(parts),
      createHistoryRoute(parts),
      createPicturesRoute(parts),
      createRunsRoute(parts),
      createEventsRoute(parts),
      createWebhookRoute(parts),
      ...createVmRoutes(parts),
      ...createPageRoutes(parts),
    ],
    onAnswer: (route, status) => requests.add({ route, status: String(status) }),
  });
  return {
    async listen({ host, port }) {
      server.listen(port, host);
      await once(server, "listening");
      const { port: given } = server.address() as AddressInfo;
      return `http://${host.includes(":") ? `[${host}]` : host}:${given}`;
    },
    async close() {
      if (!server.listening) return;
      server.close();
      // Streams of events do not end by themselves.
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
