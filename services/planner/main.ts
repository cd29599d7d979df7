import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { resolve } from "node:path";

import { describeObstacle, observeBus, openBus } from "#libs/bus";
import type { BatchJob } from "#libs/events";
import { openRepository, type RolloutsRepository, watchRepository } from "#libs/git";
import { openConfiguredScm, openLogins } from "#libs/scm";
import { openConfiguredPrometheus } from "#libs/prometheus";
import { type FollowOptions, followQueueServer, openQueue, printQueueTrouble } from "#libs/queue";
import { readTls, createLogger, createVitals, openClock, openHealth, readConfig, runService } from "#libs/runtime";

import { plannerConfig } from "./config.ts";
import { createChildJudge } from "./pull-requests/judging/child-judge.ts";
import { createPlannerMetrics } from "./publishing/metrics.ts";
import type { ScmLink } from "./pull-requests/scm-link.ts";
import { createQueueHealth } from "./loop/queue-health.ts";
import { runPlanner } from "./service.ts";

const log = createLogger("planner");

await runService(log, async (signal, closers) => {
  const config = readConfig(plannerConfig, process.env);
  const { MESHROLL_INSTALLATION: installation } = config;
  const clock = openClock(config.MESHROLL_SANDBOX_CLOCK);
  const vitals = createVitals(clock);
  const metrics = createPlannerMetrics(vitals, clock);
  const logins = openLogins(config, "planner");
  const openClone = async (folder: string): Promise<RolloutsRepository> =>
    openRepository({
      url: config.MESHROLL_REPO_URL,
      branch: config.MESHROLL_BRANCH,
      folder,
      ...(logins.git === undefined ? {} : { credentials: { token: logins.git } }),
    });
  const { repository, findSilence } = watchRepository(await openClone(config.MESHROLL_CLONE_DIR), clock);
  vitals.silences.add(findSilence);
  const scm = openConfiguredScm(config, logins);
  const link: ScmLink | undefined = scm && {
    scm,
    repository: await openClone(`${config.MESHROLL_CLONE_DIR}-pull-requests`),
    strangers: await openClone(`${config.MESHROLL_CLONE_DIR}-strangers`),
    judge: createChildJudge({ clock, limits: { memoryMib: config.MESHROLL_JUDGE_MEMORY_MIB } }),
    base: config.MESHROLL_BRANCH,
    pollMs: config.MESHROLL_GITHUB_POLL_SECONDS * 1000,
  };
  closers.add("judge", async () => link?.judge.close());
  const bus = await openBus({
    url: config.MESHROLL_NATS_URL,
    installation,
    tls: readTls(config, "NATS"),
    name: "meshroll-planner",
    patient: true,
    createsStorage: true,
    onFault: (fault) => log.warn({ fault }, "a NATS fault: it is retried"),
  });
  closers.add("bus", async () => bus.close());
  await openHealth(config, vitals, () => describeObstacle(bus), closers);
  const queueTls = readTls(config, "REDIS");
  const queueHealth = createQueueHealth(clock);
  const onProblems: FollowOptions["onProblems"] = (problems) => {
    queueHealth.judged(problems);
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
  const queue = openQueue<BatchJob>({
    installation,
    url: config.MESHROLL_REDIS_URL,
    tls: queueTls,
  });
  closers.add("queue", async () => queue.close());
  const gitPollMs = config.MESHROLL_GIT_POLL_SECONDS * 1000;
  log.info({ repository: config.MESHROLL_REPO_URL, installation }, "the planner runs");
  const observedBus = observeBus(bus, metrics.observer);
  const github = link === undefined ? {} : { link };
  const prometheus = openConfiguredPrometheus(config);
  const measured = prometheus === undefined ? {} : { prometheus };
  const page = config.MESHROLL_PAGE_URL === undefined ? {} : { page: config.MESHROLL_PAGE_URL };
  const others = { ...github, ...measured, ...page };
  // No two processes share a host and a clone folder: a planner that starts with the same place is the successor of a dead
  // one, and gets its lease at once.
  const holder = { place: `${hostname()} ${resolve(config.MESHROLL_CLONE_DIR)}`, id: randomUUID() };
  await runPlanner(
    {
      installation,
      holder,
      repository,
      bus: observedBus,
      queue,
      queueHealth,
      clock,
      log,
      gitPollMs,
      onTurn: metrics.onTurn,
      onReconcile: metrics.onReconcile,
      ...others,
    },
    signal,
  );
});
