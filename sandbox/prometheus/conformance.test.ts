import { describePrometheus } from "#conformance/prometheus";
import { openPrometheus } from "#libs/prometheus";

import { startPrometheus } from "./index.ts";

describePrometheus("Prometheus over HTTP", async () => {
  const server = await startPrometheus({ token: "token-of-the-planner" });
  return {
    prometheus: openPrometheus({ url: server.url, token: "token-of-the-planner" }),
    plant: ({ query, series, from }) => server.plant(query, series, from),
    refuse: (query) => server.refuse(query),
    setUnavailable: (down) => server.setFault(down ? { kind: "status", status: 503 } : undefined),
    close: async () => server.close(),
  };
});
