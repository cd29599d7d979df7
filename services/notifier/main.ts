import { describeObstacle, openBus } from "#libs/bus";
import { openSlack } from "#libs/chat";
import { isLoopback } from "#libs/input";
import { openConfiguredScm, openLogins } from "#libs/scm";
import { readTls, createLogger, createVitals, openClock, openHealth, readConfig, runService } from "#libs/runtime";

import { createChannels } from "./slack/channels.ts";
import { notifierConfig } from "./config.ts";
import type { Sink } from "./delivery/sink.ts";
import { createEnvironments } from "./github/environments.ts";
import { createGithubSink } from "./github/github-sink.ts";
import { createNotifyStore } from "./facts/notify-store.ts";
import { runNotifier } from "./notifier.ts";
import { createRateLimiter } from "./delivery/rate-limiter.ts";
import { createRunStore } from "./facts/run-store.ts";
import { createSlackSink } from "./slack/slack-sink.ts";

const log = createLogger("notifier");

/** Real ms between two edits of one message: at most eleven a minute, and the final one. */
const slackEditMs = 5_500;
const githubEditMs = 60_000;
/** Slack accepts about 50 edits a minute from one app, so with more open runs each is edited less often. Real ms. */
const slackShareMs = 1_500;

/** The sandbox's Slack accepts posts faster. */
function readSpacing(spacingMs: number | undefined, apiUrl: string): { readonly spacingMs?: number } {
  return spacingMs !== undefined && isLoopback(new URL(apiUrl)) ? { spacingMs } : {};
}

await runService(log, async (signal, closers) => {
  const config = readConfig(notifierConfig, process.env);
  const clock = openClock(config.MESHROLL_SANDBOX_CLOCK);
  const vitals = createVitals(clock);
  const bus = await openBus({
    url: config.MESHROLL_NATS_URL,
    installation: config.MESHROLL_INSTALLATION,
    tls: readTls(config, "NATS"),
    name: "meshroll-notifier",
    patient: true,
    onFault: (fault) => log.warn({ fault }, "a NATS fault: it is retried"),
  });
  closers.add("bus", async () => bus.close());
  await openHealth(config, vitals, () => describeObstacle(bus), closers);

  const monotonic = (): number => clock.monotonic();
  const wall = (): number => Date.now();
  const rules = createNotifyStore();
  const runs = createRunStore({ monotonic, wall }, (run) => rules.stageOf(run));
  const statusBucket = bus.bucket("status");
  const sinks: Sink[] = [];
  const { MESHROLL_SLACK_TOKEN: token, MESHROLL_SLACK_CHANNEL: channel, MESHROLL_SLACK_API_URL: apiUrl } = config;
  if (token !== undefined && channel !== undefined) {
    const place = apiUrl === undefined ? {} : { apiUrl, ...readSpacing(config.MESHROLL_SANDBOX_THROTTLE, apiUrl) };
    const workspace = openSlack({ token: token.reveal(), ...place });
    const channels = createChannels({ workspace, own: channel, log, monotonic });
    const everyMs = (): number => Math.max(slackEditMs, runs.list().length * slackShareMs);
    sinks.push(
      createSlackSink({
        channels,
        runs,
        rules,
        rateLimiter: createRateLimiter(statusBucket, everyMs, wall),
        monotonic,
      }),
    );
  }
  const scm = openConfiguredScm(config, openLogins(config, "notifier"));
  if (scm !== undefined) {
    const rateLimiter = createRateLimiter(statusBucket, githubEditMs, wall);
    sinks.push(createGithubSink({ scm, runs, rules, rateLimiter, environments: createEnvironments(statusBucket) }));
  }
  log.info({ sinks: sinks.map(({ name }) => name) }, "the notifier runs");
  await runNotifier({ bus, runs, rules, sinks, clock, log, onTurn: () => vitals.pulse.beat() }, signal);
});
