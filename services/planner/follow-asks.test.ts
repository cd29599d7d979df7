import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { printAsk } from "#libs/events";
import type { Ask } from "#libs/plan";
import { expect, test } from "vitest";

import { answerAsks, followAsks } from "./follow-asks.ts";

const ask: Ask = { id: "v1", verb: "stop", scope: "all", strength: "move", who: "ana", why: "5xx", at: "" };

async function makeBench() {
  const clock = createVirtualClock();
  const server = createFakeBusServer();
  const bus = openFakeBus(server);
  const [control, status] = [bus.bucket("control"), bus.bucket("status")];
  const asks = new Map<string, Ask>();
  let wakes = 0;
  await followAsks(control, asks, () => (wakes += 1), new AbortController().signal);
  await control.put("ask.v1", printAsk(ask));
  await control.put("state", "{}");
  await control.put("ask.broken", "{");
  await clock.settle();
  return { clock, server, control, status, asks, wakes: () => wakes };
}

test("7.5 verbs are followed by key, and each wakes the planner; other keys and what is not ours are none", async () => {
  const { asks, wakes } = await makeBench();
  expect([[...asks.keys()], wakes() > 0]).toEqual([["ask.v1"], true]);
});

test("7.5 a verb that the ledger knows is answered and leaves the bus", async () => {
  const { control, status, asks } = await makeBench();
  await answerAsks(control, status, asks, { v1: { at: "", answer: "stop v1 on all" } });
  expect([asks.size, await control.get("ask.v1")]).toEqual([0, undefined]);
  expect((await status.get("answer.v1"))?.value).toBe("stop v1 on all");
});

test("7.2 a verb that the ledger does not know yet stays: it counts from the moment it was asked", async () => {
  const { control, status, asks } = await makeBench();
  await answerAsks(control, status, asks, {});
  expect([asks.size, (await control.get("ask.v1")) === undefined]).toEqual([1, false]);
});

test("7.2 a wiped bucket has no verbs", async () => {
  const { clock, server, asks } = await makeBench();
  server.wipe();
  await clock.settle();
  expect(asks.size).toBe(0);
});
