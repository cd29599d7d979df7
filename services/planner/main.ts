import { openBus } from "#libs/bus";
import type { BatchJob } from "#libs/events";
import { openRepository } from "#libs/git";
import { openQueue } from "#libs/queue";
import { createLogger, openClock, readConfig, runService } from "#libs/runtime";

import { plannerConfig } from "./config.ts";
import { runPlanner } from "./service.ts";

const log = createLogger("planner");

await runService(log, async (signal, closers) => {
  const config = readConfig(plannerConfig, process.env);
  const clock = openClock(config.MESHROLL_SANDBOX_CLOCK);
  const token = config.MESHROLL_GIT_TOKEN;
  const repository = await openRepository({
    url: config.MESHROLL_REPO_URL,
    branch: config.MESHROLL_BRANCH,
    folder: config.MESHROLL_CLONE_DIR,
    ...(token === undefined ? {} : { credentials: { token: token.reveal() } }),
  });
  const bus = await openBus({
    url: config.MESHROLL_NATS_URL,
    name: "meshroll-planner",
    patient: true,
    onFault: (fault) => log.warn({ fault }, "the bus mends itself"),
  });
  closers.add("bus", async () => bus.close());
  const queue = openQueue<BatchJob>({ url: config.MESHROLL_REDIS_URL });
  closers.add("queue", async () => queue.close());
  const gitPollMs = config.MESHROLL_GIT_POLL_SECONDS * 1000;
  log.info({ repository: config.MESHROLL_REPO_URL }, "the planner runs");
  await runPlanner({ repository, bus, queue, clock, log, gitPollMs }, signal);
});
