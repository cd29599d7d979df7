import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { makeEvent } from "#libs/events";
import { createLogger, createMetrics } from "#libs/runtime";
import { expect, test } from "vitest";

import { createCatchUp } from "./catch-up.ts";
import { createEventHub } from "./event-hub.ts";

const lift = (id: string) => JSON.stringify(makeEvent("stopLifted", id, 0, { stops: [id], who: "ana", why: "" }));

async function open() {
  const server = createFakeBusServer();
  const [bus, other] = [openFakeBus(server), openFakeBus(server)];
  const clock = createVirtualClock();
  const publish = async (id: string) => other.publish("meshroll.v1.stop.v1.lifted", id, lift(id));
  await publish("before");
  const hub = createEventHub({ clock, metrics: createMetrics(), mostReaders: 9, mostPending: 1_000_000 });
  await bus.listen("meshroll.v1.>", (_subject, body) => hub.tell(body), new AbortController().signal);
  const catchUp = createCatchUp(bus, hub, createLogger("api", [], "silent"));
  const turn = async () => {
    catchUp();
    await clock.settle();
  };
  /** Ids that a reader who saw `lastId` is sent. */
  const readFrom = (lastId: string) => {
    let taken = "";
    const sink = { write: (text: string) => void (taken += text), pending: () => 0, end: () => undefined };
    hub.join(sink, lastId);
    hub.leave(sink);
    return taken.includes("event: gap") ? "gap" : [...taken.matchAll(/^id: (.*)$/gm)].map((match) => match[1] ?? "");
  };
  const live = { taken: "" };
  hub.join({ write: (text) => void (live.taken += text), pending: () => 0, end: () => undefined }, undefined);
  const readLive = () => [...live.taken.matchAll(/^(?:id: |event: (?=gap))(.*)$/gm)].map((match) => match[1] ?? "");
  return { server, publish, turn, readFrom, readLive };
}

test("a reader goes on at a process that was not there when it was cut off", async () => {
  const { publish, turn, readFrom, readLive } = await open();
  await publish("after");
  expect(readFrom("before")).toBe("gap");
  await turn();
  await publish("later");
  await turn();
  expect(readFrom("before")).toEqual(["after", "later"]);
  expect(readFrom("after")).toEqual(["later"]);
  // Who was there from the beginning is told of what happens, not of history.
  expect(readLive()).toEqual(["after", "later"]);
});

test("what was said while the bus was away from this process is told, once, when it is back", async () => {
  const { server, publish, turn, readFrom, readLive } = await open();
  await turn();
  server.disturb(() => "lost");
  await publish("missed");
  server.disturb(() => "once");
  await publish("heard");
  server.disconnect();
  await turn();
  server.connect();
  await turn();
  await turn();
  expect(readFrom("before")).toEqual(["missed", "heard"]);
  expect(readLive().toSorted()).toEqual(["heard", "missed"]);
});

test("when all that was heard is gone from the stream, readers are told that something may be missing", async () => {
  const { server, publish, turn, readFrom, readLive } = await open();
  await turn();
  server.disconnect();
  await turn();
  server.wipe();
  server.connect();
  server.disturb(() => "lost");
  await publish("new");
  await turn();
  expect(readLive()).toEqual(["gap", "new"]);
  expect(readFrom("before")).toEqual(["new"]);
});
