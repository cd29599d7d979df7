import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import type { Bus } from "#libs/bus";
import { makeEvent } from "#libs/events";
import { createLogger, createMetrics } from "#libs/runtime";
import { expect, test } from "vitest";

import { createCatchUp } from "./catch-up.ts";
import { createEventHub } from "./event-hub.ts";

const wants = { wantsPulse: false, wantsPatches: false, wantsMessages: true } as const;

const resumeEvent = (id: string) =>
  JSON.stringify(makeEvent("stopResumed", id, 0, { stops: [id], who: "ana", why: "" }));

async function open(recent = async (bus: Bus, limit: number) => bus.recent(limit)) {
  const server = createFakeBusServer();
  const [bus, other] = [openFakeBus(server), openFakeBus(server)];
  const clock = createVirtualClock();
  const publish = async (id: string) => other.publish("meshroll.v1.stop.v1.resumed", resumeEvent(id));
  /** Published before this process listens again, which is after the bus is back. */
  const publishUnheard = async (id: string) => {
    server.disturb(() => "lost");
    await publish(id);
    server.disturb(() => "once");
  };
  await publish("before");
  const hub = createEventHub({
    clock,
    metrics: createMetrics(),
    log: createLogger("api", [], "silent"),
    mostReaders: 9,
    mostPending: 1_000_000,
    mostPendingInAll: 9_000_000,
  });
  const seen = { ...bus, recent: async (limit: number) => recent(bus, limit) };
  const catchUp = createCatchUp(seen, hub, createLogger("api", [], "silent"));
  const { signal } = new AbortController();
  await bus.listen("meshroll.v1.>", (_subject, body) => hub.publish(body), signal, catchUp.onReconnect);
  const settle = async () => clock.settle();
  const turn = async () => {
    catchUp.readMissed();
    await settle();
  };
  /** Ids that a reader with `lastId` gets. */
  const readFrom = (lastId: string) => {
    let taken = "";
    const sink = {
      address: "",
      ...wants,
      write: (text: string) => void (taken += text),
      pending: () => 0,
      end: () => undefined,
    };
    hub.join(sink, `stop.v1.resumed/${lastId}`);
    hub.leave(sink);
    return taken.includes("event: gap")
      ? "gap"
      : [...taken.matchAll(/^id: stop\.v1\.resumed\/(.*)$/gm)].map((match) => match[1] ?? "");
  };
  /** Ids and gaps that a connected reader has got so far. */
  const joinFrom = (lastId: string | undefined) => {
    let taken = "";
    const write = (text: string) => void (taken += text);
    hub.join(
      { address: "", ...wants, write, pending: () => 0, end: () => undefined },
      lastId === undefined ? undefined : `stop.v1.resumed/${lastId}`,
    );
    return () =>
      [...taken.matchAll(/^(?:id: stop\.v1\.resumed\/|event: (?=gap))(.*)$/gm)].map((match) => match[1] ?? "");
  };
  const readLive = joinFrom(undefined);
  return { server, publish, publishUnheard, turn, settle, readFrom, joinFrom, readLive };
}

test("a reader continues at a process that started after it was cut off", async () => {
  const { publish, turn, readFrom, joinFrom, readLive } = await open();
  await publish("after");
  const early = joinFrom("before");
  expect(early()).toEqual([]);
  await turn();
  expect(early()).toEqual(["after"]);
  await publish("later");
  await turn();
  expect(readFrom("before")).toEqual(["after", "later"]);
  expect(readFrom("after")).toEqual(["later"]);
  expect(early()).toEqual(["after", "later"]);
  // A reader that was connected from the start gets new messages, not history.
  expect(readLive()).toEqual(["after", "later"]);
});

test("messages from an outage of the bus are sent once when it is back", async () => {
  const { server, publish, publishUnheard, turn, readFrom, readLive } = await open();
  await turn();
  await publishUnheard("missed");
  await publish("heard");
  server.disconnect();
  await turn();
  server.connect();
  await turn();
  await turn();
  expect(readFrom("before")).toEqual(["missed", "heard"]);
  expect(readLive().toSorted()).toEqual(["heard", "missed"]);
});

test("messages of an outage that is over before the next turn are sent too", async () => {
  const { server, publish, publishUnheard, turn, readFrom, readLive } = await open();
  for (let count = 0; count < 3; count += 1) await turn();
  server.disconnect();
  server.connect();
  await publishUnheard("missed");
  await publish("heard");
  await turn();
  expect(readLive()).toEqual(["heard", "missed"]);
  expect(readFrom("before")).toEqual(["missed", "heard"]);
});

test("a message that the stream has only after the first read is sent after the second", async () => {
  const { server, publishUnheard, turn, readLive } = await open();
  for (let count = 0; count < 3; count += 1) await turn();
  server.disconnect();
  server.connect();
  await turn();
  await publishUnheard("kept late");
  await turn();
  await turn();
  expect(readLive()).toEqual(["kept late"]);
});

test("a read during which an outage begins does not count", async () => {
  const answers: (() => void)[] = [];
  const { server, publishUnheard, turn, settle, readLive } = await open(async (bus, limit) => {
    const read = await bus.recent(limit);
    await new Promise<void>((resolve) => void answers.push(resolve));
    return read;
  });
  const answer = async () => {
    answers.shift()?.();
    await settle();
  };
  await turn();
  await answer();
  await turn();
  server.disconnect();
  server.connect();
  await publishUnheard("missed");
  await answer();
  expect(readLive()).toEqual([]);
  await turn();
  await answer();
  expect(readLive()).toEqual(["missed"]);
  await publishUnheard("kept late");
  await turn();
  await answer();
  expect(readLive()).toEqual(["missed", "kept late"]);
});

test("an outage before the first read: later messages are sent, with a gap", async () => {
  const { server, publish, publishUnheard, turn, readLive } = await open();
  server.disconnect();
  server.connect();
  await publish("heard");
  await publishUnheard("missed");
  await turn();
  expect(readLive()).toEqual(["heard", "gap", "missed"]);
});

test("an outage before the first read, without messages: readers get a gap", async () => {
  const { server, publishUnheard, turn, readFrom, readLive } = await open();
  server.disconnect();
  server.connect();
  await publishUnheard("missed");
  await turn();
  await turn();
  expect(readLive()).toEqual(["gap"]);
  expect(readFrom("before")).toEqual(["missed"]);
});

test("when no known message is in the stream any more, readers get a gap", async () => {
  const { server, publishUnheard, turn, readFrom, readLive } = await open();
  await turn();
  server.disconnect();
  await turn();
  server.wipe();
  server.connect();
  await publishUnheard("new");
  await turn();
  expect(readLive()).toEqual(["gap", "new"]);
  expect(readFrom("before")).toEqual(["new"]);
});
