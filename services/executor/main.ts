import { parseArgs } from "node:util";

import { type Bus, describeObstacle, observeBus, openBus } from "#libs/bus";
import type { BatchJob } from "#libs/events";
import { openRepository, probePush, watchRepository } from "#libs/git";
import { openCluster, readServer } from "#libs/kube";
import { openLogins } from "#libs/scm";
import { type FollowOptions, followQueueServer, printQueueTrouble, serveBatches } from "#libs/queue";
import {
  type Clock,
  readTls,
  ConfigProblems,
  createLogger,
  createVitals,
  openClock,
  openHealth,
  readConfig,
  refuseScaledClock,
  runService,
} from "#libs/runtime";

import { openVmFleet, type VmFleet } from "#libs/vms";

import { type ExecutorConfig, executorConfig } from "./config.ts";
import { createExecutorMetrics } from "./metrics.ts";
import { runExecutor } from "./service.ts";
import { warnOfPush } from "./control/warn-of-push.ts";

// Observing is the default: nothing is written to a cluster before a person says --act.
const { values: flags } = parseArgs({
  options: { act: { type: "boolean", default: false }, kubeconfig: { type: "string" } },
});
const log = createLogger("executor");

/** The VMs of each cluster; empty with `MESHROLL_VMS=off`. */
async function openFleets(
  { MESHROLL_VMS: kind, MESHROLL_CLUSTERS: clusters }: ExecutorConfig,
  bus: Bus,
  clock: Clock,
): Promise<ReadonlyMap<string, VmFleet>> {
  if (kind === "off") return new Map();
  const bucket = bus.bucket("vms");
  const opened = clusters.map(
    async ({ name }) => [name, await openVmFleet({ kind, bucket, cluster: name, clock, log })] as const,
  );
  return new Map(await Promise.all(opened));
}

await runService(log, async (signal, closers) => {
  const config = readConfig(executorConfig, process.env);
  const { MESHROLL_INSTALLATION: installation } = config;
  const path = flags.kubeconfig ?? config.MESHROLL_KUBECONFIG;
  const sources = config.MESHROLL_CLUSTERS.map(({ name, context }) => ({
    name,
    kubeconfig: { ...(path === undefined ? {} : { path }), ...(context === undefined ? {} : { context }) },
  }));
  if (config.MESHROLL_SANDBOX_CLOCK !== undefined) {
    const servers = await Promise.all(sources.map(async ({ kubeconfig }) => readServer(kubeconfig)));
    const refused = refuseScaledClock(config.MESHROLL_SANDBOX_CLOCK, servers);
    if (refused !== undefined) throw new ConfigProblems([refused]);
  }
  const clock = openClock(config.MESHROLL_SANDBOX_CLOCK);
  const vitals = createVitals(clock);
  const metrics = createExecutorMetrics(vitals, clock);
  const { git: token } = openLogins(config, "executor");
  const clone = {
    url: config.MESHROLL_REPO_URL,
    branch: config.MESHROLL_BRANCH,
    folder: config.MESHROLL_CLONE_DIR,
    ...(token === undefined ? {} : { credentials: { token } }),
  };
  const { repository, findSilence } = watchRepository(await openRepository(clone), clock);
  vitals.silences.add(findSilence);
  if (token !== undefined) {
    // A branch that does not exist: only the right decides.
    const probe = async (commit: string) => probePush(clone, commit, "meshroll/tried-by-an-executor");
    void warnOfPush({ recall: async () => repository.recall(), probe, clock, log }, signal);
  }
  const bus = await openBus({
    url: config.MESHROLL_NATS_URL,
    installation,
    tls: readTls(config, "NATS"),
    name: "meshroll-executor",
    patient: true,
    onFault: (fault) => log.warn({ fault }, "a NATS fault: it is retried"),
  });
  closers.add("bus", async () => bus.close());
  metrics.followBus(bus);
  await openHealth(config, vitals, () => describeObstacle(bus), closers);
  const queueTls = readTls(config, "REDIS");
  const onProblems: FollowOptions["onProblems"] = (problems) => {
    log.warn(
      { problems: problems.map(printQueueTrouble) },
      problems.length === 0 ? "Redis keeps batches safely" : "Redis may lose batches",
    );
    metrics.onQueueProblems(problems);
  };
  await followQueueServer(
    { url: config.MESHROLL_REDIS_URL, tls: queueTls, variable: "MESHROLL_REDIS_URL", clock, onProblems },
    signal,
  );
  const serve = serveBatches<BatchJob>({
    installation,
    url: config.MESHROLL_REDIS_URL,
    tls: queueTls,
    onFault: (fault) => log.warn({ fault }, "a fault of the queue: it is retried"),
  });
  const clusters = sources.map((source) =>
    openCluster({
      ...source,
      clock,
      onFault: (fault) => {
        metrics.onWatchFault(source.name, fault);
        log.warn({ cluster: source.name, fault }, "a watch failed: it is opened again");
      },
    }),
  );
  const fleets = await openFleets(config, bus, clock);
  const mode = flags.act ? ("act" as const) : ("observe" as const);
  log.info({ clusters: clusters.map(({ name }) => name), mode, installation }, "the executor runs");
  await runExecutor(
    {
      installation,
      repository: metrics.observeRepository(repository),
      clusters: clusters.map((cluster) => metrics.observeCluster(cluster)),
      mode,
      bus: observeBus(bus, metrics.observer),
      serve,
      openVms: (cluster) => fleets.get(cluster),
      clock,
      log,
      onTurn: () => vitals.pulse.beat(),
      onReconcile: metrics.onReconcile,
      onEventsLost: metrics.onEventsLost,
    },
    signal,
  );
});
