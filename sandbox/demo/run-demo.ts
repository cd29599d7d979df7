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
import type { DemoOptions } from "./play/demo-context.ts";
import { rememberOffVms, startVms } from "./vms/play-vms.ts";
import { type Services, startServices } from "./world/start-services.ts";
import type { DemoEnvironment } from "./world/start-world.ts";
import { isGood, readEnding } from "./ending/summarise.ts";
import { createStepSuggester } from "./display/step-suggester.ts";
import { demoInstallation, slackChannel } from "./world/users.ts";

/** The API paths of meshroll's own namespace, where a stop is recorded: a write there moves nothing. */
const ownPath = /^\/api\/v1\/namespaces(\/meshroll-system(\/.*)?)?$/;

/** Writes of meshroll outside its own namespace, refused ones included, as `cluster path`. */
function listWrites({ clusters }: DemoEnvironment): readonly string[] {
  return clusters.flatMap(({ name, model }) =>
    model.writes
      .filter(({ fieldManager, path }) => fieldManager === "meshroll" && !ownPath.test(path))
      .map(({ path }) => `${name} ${path}`),
  );
}

/** Plays the scenario and shows it; the display reads only the bus. */
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
    const suggester = createStepSuggester(display);
    const listener = {
      onStatus: (status: FleetStatus) => {
        display.showStatus(status);
        suggester.update(status);
      },
      onEvent: (event: Event) => display.showEvent(event),
    };
    const watch = await followFleet(bus, listener, AbortSignal.any([options.signal, stop.signal]));
    await play({
      environment,
      display,
      options,
      services,
      watch,
      suggester,
      listWrites: () => listWrites(environment),
    });
  } finally {
    stop.abort();
  }
}

/** Plays with real processes until the scenario is over; the processes are always stopped. */
async function playWithServices(
  bus: Bus,
  environment: DemoEnvironment,
  display: Display,
  options: DemoOptions,
): Promise<void> {
  await rememberOffVms(bus.bucket("vms"), environment.clock);
  const services = startServices(environment);
  const vms = startVms(environment);
  try {
    const died = Promise.race([services.died, vms.died]);
    await playOn(bus, { ...services, died }, environment, display, options);
  } finally {
    await vms.stop();
    await services.stop();
  }
}

/** Runs the scenario to its end; true when each run is over and the audit passed. */
export async function runDemo(environment: DemoEnvironment, display: Display, options: DemoOptions): Promise<boolean> {
  const recorders: readonly ClusterRecorder[] = environment.clusters.map(({ name, model }) =>
    recordCluster(name, model),
  );
  try {
    await runCli(environment, ["init", "--by", "ana", "--installation", demoInstallation], options.signal);
    const bus = await openBus({
      url: environment.brokers.natsUrl,
      installation: demoInstallation,
      name: "meshroll-demo",
      patient: true,
    });
    try {
      await playWithServices(bus, environment, display, options);
    } finally {
      await bus.close();
    }
    const seen = recorders.map((recorder) => recorder.take());
    const ending = await readEnding(environment, seen, performance.now());
    display.leave();
    display.summarise(printEnding(ending), ending);
    return isGood(ending);
  } finally {
    // Also for a demo that Ctrl-C ends: the messages so far.
    writeFileSync(join(environment.folder, "slack.txt"), printChannel(environment.slack.messages(slackChannel)));
    for (const recorder of recorders) recorder.stop();
  }
}
