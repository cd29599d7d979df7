import { describeCluster } from "./conformance.ts";
import { createModel, createStepClock, fakeCluster } from "./fake.ts";

describeCluster("fakeCluster", async () => {
  const clock = createStepClock();
  const model = createModel({ clock });
  return {
    ground: model,
    cluster: fakeCluster(model, "east"),
    advance: (ms) => clock.advance(ms),
    close: async () => undefined,
  };
});
