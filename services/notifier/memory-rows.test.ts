import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeChat, type FakeChat } from "#fakes/chat";
import { createFakeRemote } from "#fakes/git";
import { createFakeScm, type FakeScm } from "#fakes/scm";
import { createVirtualClock } from "#fakes/runtime";
import { nameSubject, type NotifyFacts, printNotifyFacts } from "#libs/events";
import type { Scm } from "#libs/scm";
import { createLogger, systemClock } from "#libs/runtime";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { Faults } from "#test/flow/parts/faults";
import { createChannels } from "./slack/channels.ts";
import { createEnvironments } from "./github/environments.ts";
import { followStatus } from "./follow-status.ts";
import { createGithubSink } from "./github/github-sink.ts";
import { type NotifierRow, notifierRows, type Step } from "./test-memory-rows.ts";
import { runNotifier } from "./notifier.ts";
import { createNotifyStore, followNotify } from "./facts/notify-store.ts";
import { createRateLimiter } from "./delivery/rate-limiter.ts";
import { createRecall } from "./facts/recall-runs.ts";
import { createRunStore } from "./facts/run-store.ts";
import type { Sink } from "./delivery/sink.ts";
import { createSlackSink } from "./slack/slack-sink.ts";
import * as make from "./delivery/test-world.ts";

/** What the notifier's processes share: the bus, Slack, GitHub and the time. */
interface Outside {
  readonly server: ReturnType<typeof createFakeBusServer>;
  readonly channels: Readonly<Record<string, FakeChat>>;
  readonly scm: FakeScm;
  /** Each deployment's states and descriptions, in order. */
  readonly deployments: string[];
  readonly commit: string;
  now: number;
}

async function makeOutside(notify: NotifyFacts): Promise<Outside> {
  const remote = createFakeRemote();
  remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
  remote.commitTo("half", { files: { "rollouts.yml": "two\n" } });
  const scm = createFakeScm({ remote });
  const pull = await scm.as("ana").openPullRequest({ branch: "half", base: "main", title: "5 to 25", body: "" });
  const merged = await scm.as("ana").merge(pull.number, pull.headSha);
  const server = createFakeBusServer();
  await openFakeBus(server).bucket("status").put("notify", printNotifyFacts(notify));
  await openFakeBus(server).bucket("status").put("fleet", JSON.stringify(make.statusOf()));
  const channels = { OWN: createFakeChat(), MESH: createFakeChat() };
  return { server, channels, scm, deployments: [], commit: merged.kind === "merged" ? merged.sha : "", now: 1_000_000 };
}

function watchDeployments({ scm, deployments }: Outside): Scm {
  const hub = scm.as("meshroll");
  return {
    ...hub,
    async showDeployment(shown) {
      await hub.showDeployment(shown);
      const { sha, environment, state, description } = shown;
      const name = `${sha}/${environment}`;
      const line = `${name} ${state}: ${description}`;
      if (deployments.findLast((each) => each.startsWith(name)) !== line) deployments.push(line);
    },
  };
}

/** A process with an empty memory; `kill` ends it. */
async function startProcess(outside: Outside, faults = new Faults()) {
  const bus = faults.wrap(openFakeBus(outside.server));
  const [monotonic, wall] = [() => outside.now, () => outside.now];
  const rules = createNotifyStore();
  const runs = createRunStore({ monotonic, wall }, (run) => rules.stageOf(run));
  const stop = new AbortController();
  const bucket = bus.bucket("status");
  const workspace = {
    open: (id: string) => faults.wrap(outside.channels[id] ?? createFakeChat()),
    findChannel: async (name: string) => (name === "mesh" ? "MESH" : undefined),
  };
  const log = { warn: () => undefined };
  const channels = createChannels({ workspace, own: "OWN", log, monotonic });
  const sinks: readonly Sink[] = [
    createSlackSink({ channels, runs, rules, rateLimiter: createRateLimiter(bucket, 5000, wall), monotonic }),
    createGithubSink({
      scm: faults.wrap(watchDeployments(outside)),
      runs,
      rules,
      rateLimiter: createRateLimiter(bucket, 60_000, wall),
      environments: createEnvironments(bucket),
    }),
  ];
  await followNotify(bus, rules, stop.signal);
  const note = createRecall(bus, runs, log);
  await followStatus(bus, runs, note, stop.signal);
  return { note, sinks, kill: () => stop.abort() };
}

type Process = Awaited<ReturnType<typeof startProcess>>;

async function refresh(outside: Outside, { sinks }: Process): Promise<void> {
  outside.now += 61_000;
  for (const sink of sinks) await sink.refresh();
}

async function take(outside: Outside, running: Process, step: Step, isMine: boolean): Promise<void> {
  const bus = openFakeBus(outside.server);
  if ("kind" in step) {
    await bus.bucket("status").put("fleet", JSON.stringify(step));
  } else {
    await bus.publish(nameSubject(step), JSON.stringify(step));
    await running.note(step);
    for (const sink of running.sinks) await sink.deliver(make.receivedOf(step, { isMine }));
  }
  await createVirtualClock().settle();
  await refresh(outside, running);
}

/** What people see at the end, and the states that each deployment had. */
async function describeTold({ channels, scm, deployments }: Outside) {
  const slack = Object.values(channels).map(({ messages }) =>
    messages.map(({ text, blocks, thread, broadcast }) => ({ text, blocks, thread, broadcast })),
  );
  const issues = (await scm.as("ana").listIssues("meshroll")).map(({ title, body }) => ({ title, body }));
  const comments = (await scm.as("ana").comments(1)).map(({ body }) => body);
  return { slack, deployments, comments, issues };
}

/**
 * `restartAt`: the process is killed after it delivered this step, and before the bus got the acknowledgement, so the next
 * process gets the step again.
 */
async function playRow({ steps, notify = make.notifyOf() }: NotifierRow, restartAt: number | undefined) {
  const outside = await makeOutside(notify);
  let running = await startProcess(outside);
  for (const [index, step] of steps(outside.commit).entries()) {
    await take(outside, running, step, true);
    if (index !== restartAt) continue;
    running.kill();
    running = await startProcess(outside);
    await take(outside, running, step, false);
  }
  running.kill();
  return describeTold(outside);
}

/** As the loops do: a failed call is repeated, and state messages are refreshed. */
async function tryAgain(work: () => Promise<void>): Promise<void> {
  await work().catch(work);
}

/** Plays a row in which the first call of one method of an adapter fails. */
async function playFault({ steps, notify = make.notifyOf() }: NotifierRow, faults: Faults): Promise<unknown> {
  const outside = await makeOutside(notify);
  const running = await startProcess(outside, faults);
  for (const step of steps(outside.commit)) await tryAgain(async () => take(outside, running, step, true));
  await tryAgain(async () => refresh(outside, running));
  running.kill();
  // States that a failed call would have shown meanwhile, and the order of deployments, may differ.
  const last = new Map(outside.deployments.map((line) => line.split(/ (.*)/su) as [string, string]));
  return { ...(await describeTold(outside)), deployments: [...last.values()].toSorted() };
}

describe("one call of Slack, GitHub or the bus that fails", () => {
  it.each(notifierRows)("$value: the same messages as undisturbed", async (row) => {
    const calm = new Faults();
    const want = await playFault(row, calm);
    for (const method of calm.called) {
      const faults = new Faults();
      faults.fails = (call) => call.method === method && faults.count === 0;
      expect({ failing: method, told: await playFault(row, faults) }).toEqual({ failing: method, told: want });
    }
  });
});

describe("a restart of the notifier changes nothing", () => {
  it.each(notifierRows)("$value: the same messages as undisturbed, after each step", async (row) => {
    const want = await playRow(row, undefined);
    for (const index of row.steps(make.commit).keys()) {
      expect({ restartedAfter: index, told: await playRow(row, index) }).toEqual({ restartedAfter: index, told: want });
    }
  });
});

it("a restart during an outage logs one line more, and posts the same messages", async () => {
  const [server, chat, lines] = [createFakeBusServer(), createFakeChat(), [] as string[]];
  await openFakeBus(server).bucket("status").put("notify", printNotifyFacts(make.notifyOf()));
  await openFakeBus(server).bucket("status").put("fleet", JSON.stringify(make.statusOf()));
  const clock = systemClock();
  const monotonic = () => clock.monotonic();
  const log = createLogger("notifier", [], "warn", (line) => void lines.push(line));
  const start = (): (() => Promise<void>) => {
    const [bus, rules, stop] = [openFakeBus(server), createNotifyStore(), new AbortController()];
    const runs = createRunStore({ monotonic, wall: Date.now });
    const rateLimiter = createRateLimiter(bus.bucket("status"), 50, Date.now);
    const slack = createSlackSink({
      channels: { open: async () => chat, leave: () => undefined },
      runs,
      rules,
      rateLimiter,
      monotonic,
    });
    const ended = runNotifier({ bus, runs, rules, sinks: [slack], clock, log }, stop.signal);
    return async () => {
      await bus.close();
      stop.abort();
      await ended;
    };
  };
  const outages = () => lines.filter((line) => line.includes("a notification was not delivered")).length;
  chat.disconnect();
  const kill = start();
  onTestFinished(kill);
  const stopped = make.placedOf("v1", "all");
  await openFakeBus(server).publish(nameSubject(stopped), JSON.stringify(stopped));
  await vi.waitFor(() => expect(outages()).toBe(1), { timeout: 60_000, interval: 10 });
  await kill();
  onTestFinished(start());
  await vi.waitFor(() => expect(outages()).toBe(2), { timeout: 60_000, interval: 10 });
  chat.connect();
  await vi.waitFor(() => expect(chat.messages.map(({ text }) => text)).toEqual(["Paused: all, by ana: 5xx rise."]), {
    timeout: 60_000,
    interval: 10,
  });
  expect(outages()).toBe(2);
});
