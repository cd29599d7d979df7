import { describePrometheus } from "./conformance.ts";
import { createFakePrometheus } from "./fake.ts";

describePrometheus("Prometheus in memory", async () => {
  const prometheus = createFakePrometheus();
  return {
    prometheus,
    plant: (...planted) => prometheus.plant(...planted),
    refuse: (query) => prometheus.refuse(query),
    setUnavailable: (down) => prometheus.setUnavailable(down),
    close: async () => undefined,
  };
});
