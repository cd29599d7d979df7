import { expect, onTestFinished, test } from "vitest";

import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { type Event, makeEvent, nameSubject } from "#libs/events";

import { followFleet } from "./follow-fleet.ts";
import { makeStatus, run, untouched } from "../test-status.ts";

async function open() {
  const bus = openFakeBus(createFakeBusServer());
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await bus.close();
  });
  const events: Event[] = [];
  const listener = { onStatus: () => undefined, onEvent: (event: Event) => void events.push(event) };
  const watch = await followFleet(bus, listener, stop.signal);
  return { bus, watch, events, status: bus.bucket("status") };
}

test("waits for the first status for which the condition holds, and keeps the newest", async () => {
  const { watch, status } = await open();
  const hasRun = watch.until(({ runs }) => runs.length > 0, new AbortController().signal);
  await status.put("fleet", JSON.stringify(makeStatus()));
  await status.put("fleet", JSON.stringify(makeStatus({ runs: [run(untouched)] })));
  expect((await hasRun).runs).toHaveLength(1);
  expect(watch.status()?.runs).toHaveLength(1);
  // A condition that holds already resolves at once.
  expect((await watch.until(() => true, new AbortController().signal)).runs).toHaveLength(1);
});

test("a wait ends when it is aborted", async () => {
  const { watch } = await open();
  const stop = new AbortController();
  const never = watch.until(() => false, stop.signal);
  stop.abort(new Error("enough"));
  await expect(never).rejects.toThrow("enough");
  await expect(watch.until(() => true, stop.signal)).rejects.toThrow("enough");
});

test("messages of the stream are passed on, those of a newer version are not", async () => {
  const { bus, events } = await open();
  const event = makeEvent("stopResumed", "id", 0, { stops: ["a"], who: "ana", why: "so" });
  await bus.publish("meshroll.v1.tomorrow.v9.thing", JSON.stringify({ type: "tomorrow.v9.thing" }));
  await bus.publish(nameSubject(event), JSON.stringify(event));
  await expect.poll(() => events).toEqual([event]);
});
