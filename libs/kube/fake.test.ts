import { describeCluster } from "./conformance.ts";
import { createModel, createStepClock, fakeCluster } from "#fakes/kube";
import { REFLECTOR_TIMING } from "./watch/reflector.ts";

describeCluster("fakeCluster", async () => {
  const clock = createStepClock();
  const model = createModel({ clock });
  return {
    ground: model,
    cluster: fakeCluster(model, "east"),
    advance: (ms) => clock.advance(ms),
    passSilence: () => clock.advance(REFLECTOR_TIMING.idleMs),
    close: async () => undefined,
  };
});
