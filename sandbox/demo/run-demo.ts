import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Bus, openBus } from "#libs/bus";
import type { Event } from "#libs/events";
import type { FleetStatus } from "#libs/plan";

import { type ClusterRecorder, recordCluster } from "../../test/auditor/evidence/clusters/record-cluster.ts";
import { writeConnection } from "./world/connection.ts";
import type { Display } from "./display/display.ts";
import { followFleet } from "./story/follow-fleet.ts";
import { printChannel } from "./display/print-channel.ts";
import { printEnding } from "./ending/print-ending.ts";
import { runCli } from "./world/run-cli.ts";
import { play } from "./play/play.ts";
import type { DemoOptions } from "./play/stage.ts";
import { type Services, startServices } from "./world/start-services.ts";
import type { DemoEnvironment } from "./world/start-world.ts";
import { isGood, readEnding } from "./ending/summarise.ts";
import { createTeller } from "./display/teller.ts";
import { demoInstallation, slackChannel } from "./world/users.ts";

/** Our own folder in a cluster: that a stop is recorded there moves nothing. */
const ownPath = /^\/api\/v1\/namespaces(\/meshroll-system(\/.*)?)?$/;

/** Writes of meshroll's to what belongs to others, refused ones included, as `cluster path`. */
function listWrites({ clusters }: DemoEnvironment): readonly string[] {
  return clusters.flatMap(({ name, model }) =>
    model.writes
      .filter(({ fieldManager, path }) => fieldManager === "meshroll" && !ownPath.test(path))
      .map(({ path }) => `${name} ${path}`),
  );
}

/** Plays the story before the display's eyes, which see only what the bus tells. */
async function playOn(
  bus: Bus,
  services: Services,
  environment: DemoEnvironment,
  display: Display,
  options: DemoOptions,
): Promise<void> {
  const stop = new AbortController();
  try {
    writeConnection(environment);
    display.say(`the page: ${environment.apiUrl}/`);
    const teller = createTeller(display);
    const listener = {
      onStatus: (status: FleetStatus) => {
        display.showStatus(status);
        teller.reconcile(status);
      },
      onEvent: (event: Event) => display.showEvent(event),
    };
    const watch = await followFleet(bus, listener, AbortSignal.any([options.signal, stop.signal]));
    await play({ environment, display, options, services, watch, teller, listWrites: () => listWrites(environment) });
  } finally {
    stop.abort();
    await bus.close();
  }
}

/** Plays with real processes until the story is over; they are stopped whatever happens. */
async function playWithServices(environment: DemoEnvironment, display: Display, options: DemoOptions): Promise<void> {
  const services = startServices(environment);
  try {
    const bus = await openBus({
      url: environment.brokers.natsUrl,
      installation: demoInstallation,
      name: "meshroll-demo",
      patient: true,
    });
    await playOn(bus, services, environment, display, options);
  } finally {
    await services.stop();
  }
}

/** Runs the scenario to its end; answers whether everything went as it must. */
export async function runDemo(environment: DemoEnvironment, display: Display, options: DemoOptions): Promise<boolean> {
  const recorders: readonly ClusterRecorder[] = environment.clusters.map(({ name, model }) =>
    recordCluster(name, model),
  );
  try {
    await runCli(environment, ["init", "--by", "ana", "--installation", demoInstallation], options.signal);
    await playWithServices(environment, display, options);
    const seen = recorders.map((recorder) => recorder.take());
    const ending = await readEnding(environment, seen, performance.now());
    display.leave();
    display.summarise(printEnding(ending), ending);
    return isGood(ending);
  } finally {
    // Also of a demo that Ctrl-C ends: what people were told until then.
    writeFileSync(join(environment.folder, "slack.txt"), printChannel(environment.slack.messages(slackChannel)));
    for (const recorder of recorders) recorder.stop();
  }
}
