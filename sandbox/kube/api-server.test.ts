import { describeCluster } from "#conformance/kube";
import { createModel, createStepClock } from "#fakes/kube";
import { openCluster } from "#libs/kube";

import { realClock, SHORT } from "./open-wire.ts";
import { startKube } from "./start-kube.ts";

/** The time in which a watch must say something is real here: longer than a busy machine keeps a bookmark, and short to wait for. */
const timing = { ...SHORT, idleMs: 750 };

describeCluster("openCluster over HTTP", async () => {
  const clock = createStepClock();
  const model = createModel({ clock });
  const server = await startKube({ model, token: "secret", bookmarkMs: 20 });
  const kubeconfig = { text: server.kubeconfig() };
  return {
    ground: model,
    cluster: openCluster({ name: "east", kubeconfig, clock: realClock, timing }),
    advance: (ms) => clock.advance(ms),
    passSilence: () => undefined,
    close: () => server.close(),
  };
});
