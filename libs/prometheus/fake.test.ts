import { describePrometheus } from "./conformance.ts";
import { createFakePrometheus } from "./fake.ts";

describePrometheus("Prometheus in memory", async () => {
  const prometheus = createFakePrometheus();
  return {
    prometheus,
    plant: ({ query, series, from }) => prometheus.plant(query, series, from),
    refuse: (query) => prometheus.refuse(query),
    setUnavailable: (down) => prometheus.setUnavailable(down),
    close: async () => undefined,
  };
});
