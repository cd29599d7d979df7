import { createFakeBusServer, type FakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeChat, type FakeChat } from "#fakes/chat";
import { type Event, nameSubject } from "#libs/events";
import type { FleetStatus } from "#libs/plan";
import { createLogger, systemClock } from "#libs/runtime";
import { expect, it, onTestFinished, vi } from "vitest";

import type { Sink } from "./delivery/sink.ts";
import { createNotifyStore } from "./facts/notify-store.ts";
import { runNotifier } from "./notifier.ts";
import { createRateLimiter } from "./delivery/rate-limiter.ts";
import { createRunStore } from "./facts/run-store.ts";
import { createSlackSink } from "./slack/slack-sink.ts";
import * as make from "./delivery/test-world.ts";

const log = createLogger("test", [], "silent");
const clock = systemClock();

interface Running {
  /** As `kill -9`: the message in hand is not acknowledged. */
  readonly kill: () => Promise<void>;
}

function startNotifier(
  server: FakeBusServer,
  chat: FakeChat,
  more: readonly Sink[] = [],
  notify = make.notifyOf(),
): Running {
  const bus = openFakeBus(server);
  const rules = createNotifyStore();
  rules.set(notify);
  const runs = createRunStore({ monotonic: () => clock.monotonic(), wall: Date.now }, (run) => rules.stageOf(run));
  const rateLimiter = createRateLimiter(bus.bucket("status"), 50, Date.now);
  const slack = createSlackSink({
    channels: { open: async () => chat, leave: () => undefined },
    runs,
    rules,
    rateLimiter,
    monotonic: () => clock.monotonic(),
  });
  const stop = new AbortController();
  const ended = runNotifier({ bus, runs, rules, sinks: [slack, ...more], clock, log }, stop.signal);
  const kill = async (): Promise<void> => {
    await bus.close();
    stop.abort();
    await ended;
  };
  onTestFinished(kill);
  return { kill };
}

async function publish(server: FakeBusServer, ...events: readonly Event[]): Promise<void> {
  const bus = openFakeBus(server);
  for (const event of events) await bus.publish(nameSubject(event), JSON.stringify(event));
}

async function setStatus(server: FakeBusServer, status: FleetStatus): Promise<void> {
  await openFakeBus(server).bucket("status").put("fleet", JSON.stringify(status));
}

function readTexts(chat: FakeChat): readonly string[] {
  return chat.messages.map(({ text, thread }) => (thread === undefined ? text : `  ${text}`));
}

const story = [
  make.startedOf(),
  make.failedOf("shop/Deployment/a"),
  make.placedOf("v1", `run/${make.run}`),
  make.resumedOf("v1", `run/${make.run}`),
];
const told = [
  "production: 5 to 25: running, 10 of 40 workloads run what was merged.",
  "  1 workload failed: ReadinessTimeout.",
  `  Paused: run/${make.run}, by ana: 5xx rise.`,
  "  Resumed by ben: looked at it.",
];
const seen = { timeout: 60_000, interval: 10 };

it("two notifiers post the same as one", async () => {
  const [server, chat] = [createFakeBusServer(), createFakeChat()];
  await setStatus(server, make.statusOf());
  startNotifier(server, chat);
  startNotifier(server, chat);
  await publish(server, ...story);
  await vi.waitFor(() => expect(readTexts(chat)).toEqual(told), seen);
});

it("an executor's messages with the ids of the planner's do not suppress any", async () => {
  const [server, chat] = [createFakeBusServer(), createFakeChat()];
  await setStatus(server, make.statusOf());
  startNotifier(server, chat);
  const data = { run: make.run, cluster: "one", workload: "shop/Deployment/z", revision: "1-29" };
  const forged = story.map(({ id }) => make.eventOf("workloadMigrated", id, data));
  await publish(server, ...forged, ...story.flatMap((event, at) => [event, ...forged.slice(at)]));
  await vi.waitFor(() => expect(readTexts(chat)).toEqual(told), seen);
});

it("a notifier that is killed after each message and restarted posts everything once", async () => {
  const [server, chat] = [createFakeBusServer(), createFakeChat()];
  await setStatus(server, make.statusOf());
  for (const [index, event] of story.entries()) {
    const running = startNotifier(server, chat);
    await publish(server, event);
    await vi.waitFor(() => expect(chat.messages.length).toBeGreaterThan(index), seen);
    await running.kill();
  }
  startNotifier(server, chat);
  await vi.waitFor(() => expect(readTexts(chat)).toEqual(told), seen);
});

it("a campaign, posted by notifiers that are killed after each message, is one thread without a repeat", async () => {
  const [server, chat] = [createFakeBusServer(), createFakeChat()];
  await setStatus(server, make.statusOf());
  const notify = make.campaignOf({ broadcast: ["failed"] });
  // A bake's progress posts nothing; messages before and after it must be posted all the same.
  const events = make.campaignStory();
  const wanted = events.filter(({ id }) => id !== "b2").length;
  for (const event of events) {
    const running = startNotifier(server, chat, [], notify);
    const least = chat.messages.length + (event.id === "b2" ? 0 : 1);
    await publish(server, event);
    await vi.waitFor(() => expect(chat.messages.length).toBeGreaterThanOrEqual(least), seen);
    await running.kill();
  }
  startNotifier(server, chat, [], notify);
  await publish(server, ...events);
  await vi.waitFor(() => expect(readTexts(chat)).toHaveLength(wanted), seen);
  expect(new Set(readTexts(chat)).size).toBe(wanted);
  expect(readTexts(chat).filter((text) => !text.startsWith("  "))).toHaveLength(1);
  expect(readTexts(chat)[0]).toContain("istio-1-29 · prod-25 [2/3]: done");
});

it("a chat that is down does not delay other sinks, and gets the rest when it is back", async () => {
  const [server, chat] = [createFakeBusServer(), createFakeChat()];
  await setStatus(server, make.statusOf());
  const others: string[] = [];
  const other: Sink = {
    name: "github",
    deliver: async ({ event }) => void others.push(event.type),
    refresh: async () => undefined,
  };
  chat.disconnect();
  startNotifier(server, chat, [other]);
  await publish(server, ...story);
  await vi.waitFor(() => expect(others).toHaveLength(story.length), seen);
  expect(readTexts(chat)).toEqual([]);
  chat.connect();
  await vi.waitFor(() => expect(readTexts(chat)).toEqual(told), seen);
});

it("after an hour of outage one message and the state are posted, not all news", async () => {
  const [server, chat] = [createFakeBusServer(), createFakeChat()];
  await setStatus(server, make.statusOf());
  const failures = Array.from({ length: 40 }, (_, index) => make.failedOf(`shop/Deployment/w-${index}`, index * 60));
  await publish(server, make.startedOf(), ...failures);
  server.letPass(3_600_000);
  startNotifier(server, chat);
  const late = "  Sent late: what happened while Slack could not be reached.";
  await vi.waitFor(() => expect(readTexts(chat)).toEqual([told[0], late]), seen);
  await vi.waitFor(() => expect(JSON.stringify(chat.messages[1]?.blocks)).toContain("(40 in all)"), seen);
});

it("a message that the chat refuses, an unknown one and an invalid one are skipped", async () => {
  const [server, chat] = [createFakeBusServer(), createFakeChat()];
  await setStatus(server, make.statusOf());
  chat.refuse("message");
  startNotifier(server, chat);
  const bus = openFakeBus(server);
  await bus.publish("meshroll.v1.run.v9.started", '{"type":"run.v9.started"}');
  await bus.publish("meshroll.v1.x", "no JSON");
  await publish(server, make.placedOf("v2", "all"));
  await vi.waitFor(() => expect(chat.calls).toContain("findRoots"), seen);
  await vi.waitFor(() => expect(chat.calls.filter((call) => call === "findRoots").length).toBeGreaterThan(0), seen);
  chat.refuse(undefined);
  await publish(server, make.placedOf("v3", "cluster/one"));
  await vi.waitFor(() => expect(readTexts(chat)).toContain("Paused: cluster/one, by ana: 5xx rise."), seen);
});
