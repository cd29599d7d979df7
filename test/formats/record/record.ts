import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openBus } from "#libs/bus";
import { newestFormat, oldestFormat } from "#libs/input";
import { openQueue } from "#libs/queue";

import { startServices } from "../../../sandbox/demo/world/start-services.ts";
import { type DemoEnvironment, startEnvironment } from "../../../sandbox/demo/world/start-world.ts";
import { demoInstallation } from "../../../sandbox/demo/world/users.ts";
import { makePreviousBuild } from "../../builds/previous-build.ts";
import { findFolder, write } from "../fixture.ts";
import { Catcher } from "./catch-all.ts";
import { readLedger } from "./ledger-tree.ts";
import { playEverything } from "./play.ts";

async function play(environment: DemoEnvironment, version: number, log: (line: string) => void): Promise<void> {
  const services = startServices(environment);
  const { natsUrl, redisUrl } = environment.brokers;
  const bus = await openBus({ url: natsUrl, installation: demoInstallation, name: "meshroll-formats", patient: true });
  const queue = openQueue<unknown>({ installation: demoInstallation, url: redisUrl });
  const stop = new AbortController();
  const catcher = new Catcher();
  try {
    const clusters = environment.clusters.map(({ name }) => name);
    await catcher.follow(bus, queue, clusters, stop.signal);
    const acting = { environment, services, bus, catcher, signal: stop.signal, log };
    await Promise.race([playEverything(acting), services.died]);
  } finally {
    mkdirSync(findFolder(version), { recursive: true });
    write(version, "records.json", Object.fromEntries([...catcher.records].toSorted(([a], [b]) => (a < b ? -1 : 1))));
    write(version, "ledger.json", await readLedger(environment));
    stop.abort();
    await queue.close();
    await bus.close();
    await services.stop();
  }
}

/**
 * Records what real processes of a build that writes this version leave on git, NATS and Redis, into the version's folder of
 * fixtures: this build for the newest version, the one before for the other. Takes some minutes.
 */
export async function recordFixtures(version: number, log: (line: string) => void): Promise<void> {
  if (version !== newestFormat && version !== oldestFormat)
    throw new Error(`this tree writes version ${oldestFormat} and ${newestFormat}, and not ${version}`);
  const own = mkdtempSync(join(tmpdir(), "meshroll-formats-"));
  const build = version === newestFormat ? {} : { build: makePreviousBuild(join(own, "build")) };
  const environment = await startEnvironment({
    folder: join(own, "snapshot"),
    factor: 60,
    namespaces: 60,
    log,
    ...build,
  });
  try {
    await play(environment, version, log);
  } catch (error) {
    log(`its logs stay in ${own}`);
    throw error;
  } finally {
    await environment.stop();
  }
  rmSync(own, { recursive: true, force: true });
}
