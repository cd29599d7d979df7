import { builtInSettings } from "#libs/campaign";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Bus, openBus } from "#libs/bus";
import { type EventData, type EventName, makeEvent, nameSubject, printNotifyFacts } from "#libs/events";
import { testInstallation } from "#libs/input";
import type { FleetStatus, RunStatus } from "#libs/plan";
import { writeText } from "#libs/wording";
import { type Slack, startSlack } from "#sandbox/slack";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { type ServiceProcess, spawnService } from "../../sandbox/demo/world/spawn-service.ts";
import { startTestEnvironment, type TestEnvironment } from "../../sandbox/github/test-world.ts";
import { makeComing } from "#test/world/words";
import { useOwnBroker } from "./own-broker.ts";
import { waitOptions } from "./wait-options.ts";

const nats = useOwnBroker("nats");
const channel = "C0MESHROLL";
const slackToken = "xoxb-token-of-the-bot";

/** A commit subject as an attacker would write it. */
const subject = "<!channel> @here production: 5 to 25 [x](http://evil.example)";

interface Fixture {
  readonly slack: Slack;
  readonly github: TestEnvironment;
  readonly run: string;
  readonly commit: string;
  readonly number: number;
  readonly start: () => ServiceProcess;
  readonly emit: <K extends EventName>(name: K, id: string, data: EventData<K>) => Promise<void>;
  readonly publishStatus: (more: Partial<RunStatus>, rest?: Partial<FleetStatus>) => Promise<void>;
  /** The channel's messages: their first lines, replies indented. */
  readonly texts: () => readonly string[];
  readonly openTestBus: () => Promise<Bus>;
}

/** A merged pull request, a Slack channel, an empty NATS, and the notifier's own process connected to all of them. */
async function startFixture(): Promise<Fixture> {
  await nats().stop();
  nats().wipe();
  await nats().start();
  const folder = mkdtempSync(join(tmpdir(), "meshroll-notifier-"));
  const rate = { burst: 50, perSecond: 50 };
  const slack = await startSlack({ tokens: [{ token: slackToken }], channels: [channel], rate });
  const github = await startTestEnvironment();
  const services: ServiceProcess[] = [];
  const buses: Bus[] = [];
  onTestFinished(async () => {
    await Promise.all(services.map(async (service) => service.stop()));
    await Promise.all(buses.map(async (bus) => bus.close()));
    await slack.close();
    await github.close();
    rmSync(folder, { recursive: true, force: true });
  });

  github.remote.commitTo("half", { files: { "rollouts.yml": "two\n" } });
  await github.github.notice();
  const scm = github.as("ada");
  const pull = await scm.openPullRequest({ branch: "half", base: "main", title: subject, body: "" });
  const merged = await scm.merge(pull.number, pull.headSha);
  const commit = merged.kind === "merged" ? merged.sha : "";
  const run = commit.slice(0, 12);

  async function openTestBus(): Promise<Bus> {
    const bus = await openBus({ installation: testInstallation, url: nats().url, name: "test" });
    buses.push(bus);
    return bus;
  }
  const bus = await openTestBus();
  const env = {
    MESHROLL_INSTALLATION: testInstallation,
    MESHROLL_NATS_URL: nats().urlOf("notifier"),
    MESHROLL_SLACK_TOKEN: slackToken,
    MESHROLL_SLACK_CHANNEL: channel,
    MESHROLL_SLACK_API_URL: slack.url,
    MESHROLL_GITHUB_API_URL: github.github.url,
    MESHROLL_GITHUB_REPOSITORY: "acme/mesh",
    MESHROLL_GITHUB_TOKEN: "token-of-bot",
    MESHROLL_SANDBOX_THROTTLE: "1",
  };
  // One time for all: failures are grouped by ten minutes of the clock, and a repeated message must have the same time.
  const eventTime = Date.now();
  return {
    slack,
    github,
    run,
    commit,
    number: pull.number,
    start() {
      const service = spawnService("notifier", [], env, folder);
      services.push(service);
      return service;
    },
    async emit(name, id, data) {
      const event = makeEvent(name, id, eventTime, data);
      await bus.publish(nameSubject(event), JSON.stringify(event));
    },
    publishStatus: async (more, rest = {}) => putStatus(bus, { id: run, commit, ...more }, rest),
    texts: () => slack.messages(channel).map(({ text, threadTs }) => (threadTs === undefined ? text : `  ${text}`)),
    openTestBus,
  };
}

async function putStatus(bus: Bus, run: Partial<RunStatus>, rest: Partial<FleetStatus>): Promise<void> {
  const moves = { workloads: 40, migrated: 0, idle: 0, migrating: 0, pending: 40, waiting: 0 };
  const counts = { ...moves, skipped: [], skippedTotal: 0, clusters: [] };
  const startedAt = new Date().toISOString();
  const status: FleetStatus = {
    apiVersion: "meshroll.dev/v1",
    kind: "FleetStatus",
    at: startedAt,
    wroteAt: Date.now(),
    main: { head: run.commit ?? "", ageSeconds: 0 },
    state: "InProgress",
    where: [{ bucket: "production", namespaces: 80, shares: [], mixed: 0 }],
    rollouts: [],
    waiting: [],
    next: makeComing({ code: "Batches", left: 40 }),
    stop: { command: "", effect: writeText("") },
    undo: { command: "", effect: writeText("") },
    runs: [{ id: "", subject, author: "ana", startedAt, ...counts, ...run }],
    clusters: [],
    stops: [],
    ...rest,
  };
  await bus.bucket("status").put("fleet", JSON.stringify(status));
  // Publishes the notify settings: without them nothing is sent.
  const facts = { fleet: builtInSettings.notify, campaigns: {}, runs: {} };
  await bus.bucket("status").put("notify", printNotifyFacts(facts));
}

/** A run from its beginning to its end, with everything that people must hear about. */
async function playRun({ emit, run, commit }: Fixture, after: (step: number) => Promise<void>): Promise<void> {
  const failed = { run, cluster: "one", revision: "1-29", reason: "ReadinessTimeout", reverted: true };
  const clusters = [
    { name: "one", skipped: 2, failed: 2 },
    { name: "two", skipped: 0, failed: 0 },
  ];
  const steps = [
    async () =>
      emit("runStarted", "s", { run, commit, subject, author: "ana", workloads: 40, clusters: ["one", "two"] }),
    async () => emit("batchHandedOut", "b", { run, cluster: "one" }),
    async () => emit("workloadMoved", "m", { run, cluster: "one", workload: "a/Deployment/x", revision: "1-29" }),
    async () => emit("workloadFailed", "f1", { ...failed, workload: "a/Deployment/x" }),
    async () => emit("workloadFailed", "f2", { ...failed, workload: "a/Deployment/y" }),
    async () =>
      emit("stopPlaced", "p1", {
        stop: "v1",
        scope: `run/${run}`,
        who: "meshroll planner",
        why: "2 failed",
        cause: "failures",
      }),
    async () => emit("stopPlaced", "p2", { stop: "v2", scope: "cluster/two", who: "ana", why: "5xx" }),
    async () => emit("stopResumed", "l2", { stops: ["v2"], scopes: ["cluster/two"], who: "ben", why: "over" }),
    async () => emit("stopResumed", "l1", { stops: ["v1"], scopes: [`run/${run}`], who: "ben", why: "looked at it" }),
    async () =>
      emit("runDone", "d", { run, state: "done", migrated: 38, skipped: 2, clusters, commit, subject, author: "ana" }),
  ];
  for (const [index, step] of steps.entries()) {
    await step();
    await after(index);
  }
}

const shownSubject = "&lt;!channel&gt; @\u2060here production: 5 to 25 [x](http://evil.example)";

function wantTexts(run: string): readonly string[] {
  return [
    `${shownSubject}: done, some skipped, 38 of 40 workloads run what was merged.`,
    "  2 workloads failed: ReadinessTimeout.",
    `  Paused: run/${run}, by meshroll planner: 2 failed.`,
    "Paused: cluster/two, by ana: 5xx. Resumed by ben: over.",
    "  Resumed by ben: over.",
    "  Resumed by ben: looked at it.",
    `  Run ${run} is done: 38 migrated, 2 did not move.`,
  ];
}

/** Environment -> the states of its deployment, oldest first. */
async function readDeployments({ github, commit }: Fixture): Promise<Readonly<Record<string, readonly string[]>>> {
  const listed = await github.ask("bot", "GET", `/repos/acme/mesh/deployments?sha=${commit}`);
  const deployments = listed.body as readonly { readonly id: number; readonly environment: string }[];
  const entries = deployments.map(async ({ id, environment }) => {
    const answer = await github.ask("bot", "GET", `/repos/acme/mesh/deployments/${id}/statuses?per_page=100`);
    const states = (answer.body as readonly { readonly state: string }[]).map(({ state }) => state).toReversed();
    return [environment, states] as const;
  });
  const states = (await Promise.all(entries)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(states);
}

async function readComments({ github, number }: Fixture): Promise<readonly string[]> {
  return (await github.as("ada").comments(number)).map(({ body }) => body);
}

async function expectAllTold(fixture: Fixture): Promise<void> {
  await vi.waitFor(() => expect(fixture.texts()).toEqual(wantTexts(fixture.run)), waitOptions);
  await vi.waitFor(
    async () => expect((await readComments(fixture))[0]).toContain("is done, some skipped since"),
    waitOptions,
  );
  expect(await readComments(fixture)).toHaveLength(1);
  // The order against the comment is not fixed.
  await vi.waitFor(async () => {
    const deployments = await readDeployments(fixture);
    expect(Object.keys(deployments)).toEqual(["one", "two"]);
    expect([deployments["one"]?.at(-1), deployments["two"]?.at(-1)]).toEqual(["failure", "success"]);
  }, waitOptions);
  // The author of a merge can write anything, but must not be able to ping people.
  expect(fixture.slack.messages(channel).flatMap(({ pings }) => pings)).toEqual([]);
  expect((await readComments(fixture))[0]).not.toMatch(/@here|@ana\b/);
}

const none = async (): Promise<void> => undefined;

describe("the notifier, over real NATS and HTTP", () => {
  it("posts a whole run: one thread, one comment, one deployment for each cluster", async () => {
    const fixture = await startFixture();
    await fixture.publishStatus({ migrated: 1 });
    fixture.start();
    await playRun(fixture, async (step) => {
      // Updates that come at once are shown as one; here each state must be seen.
      if (step !== 1) return;
      await vi.waitFor(
        async () => expect((await readDeployments(fixture))["one"]).toContain("in_progress"),
        waitOptions,
      );
    });
    await expectAllTold(fixture);
    const { one, two } = await readDeployments(fixture);
    expect(one?.slice(0, 2)).toEqual(["queued", "in_progress"]);
    expect(two).toEqual(["queued", "success"]);
  });

  it("posts once, by two notifiers that are killed by -9 in the middle and restarted", async () => {
    const fixture = await startFixture();
    await fixture.publishStatus({ migrated: 1 });
    let [one, other] = [fixture.start(), fixture.start()];
    await playRun(fixture, async (step) => {
      if (step === 3) {
        one.signal("SIGKILL");
        one = fixture.start();
      }
      if (step === 6) {
        other.signal("SIGKILL");
        other = fixture.start();
      }
    });
    await expectAllTold(fixture);
  });

  it("posts once, after NATS lost everything and every message came again", async () => {
    const fixture = await startFixture();
    await fixture.publishStatus({ migrated: 1 });
    const first = fixture.start();
    await playRun(fixture, none);
    await expectAllTold(fixture);
    first.signal("SIGKILL");
    await first.ended;
    await nats().kill();
    nats().wipe();
    await nats().start();
    await fixture.publishStatus({}, { runs: [] });
    fixture.start();
    await playRun(fixture, none);
    await fixture.emit("stopPlaced", "p9", { stop: "v9", scope: "all", who: "ana", why: "the last one" });
    const want = [...wantTexts(fixture.run), "Paused: all, by ana: the last one."];
    await vi.waitFor(() => expect(fixture.texts()).toEqual(want), waitOptions);
    expect(await readComments(fixture)).toHaveLength(1);
  });

  it("posts while Slack answers 429, 500 and loses answers; GitHub does not wait for Slack", async () => {
    const fixture = await startFixture();
    const { slack } = fixture;
    await fixture.publishStatus({ migrated: 1 });
    const fix = slack.refuseConnections();
    fixture.start();
    await playRun(fixture, none);
    await vi.waitFor(async () => expect((await readComments(fixture))[0]).toContain("is done"), waitOptions);
    expect(fixture.texts()).toEqual([]);
    slack.addFault({ method: "conversations.history", effect: { kind: "rateLimited", retryAfterSeconds: 1 } });
    slack.addFault({ method: "chat.postMessage", effect: { kind: "status", status: 500 } });
    slack.addFault({ method: "chat.postMessage", effect: { kind: "loseAnswer" } });
    fix();
    await expectAllTold(fixture);
  });

  it("reports all problems of an environment, and ends with 78", async () => {
    const folder = mkdtempSync(join(tmpdir(), "meshroll-notifier-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    expect(await spawnService("notifier", [], { MESHROLL_SLACK_CHANNEL: "#mesh" }, folder).ended).toBe(78);
  });
});
