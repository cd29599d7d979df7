import { newestFormat } from "#libs/input";
import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { printAsk, readAnswer } from "#libs/events";
import type { Ask } from "#libs/plan";
import { expect, test } from "vitest";

import { answerAsks, createOpenAsks, followAsks } from "./follow-asks.ts";

const ask: Ask = {
  id: "v1",
  verb: "stop",
  scope: "all",
  strength: "move",
  who: "ana",
  why: "5xx",
  at: "2026-11-19T12:00:00Z",
};

async function makeBench() {
  const clock = createVirtualClock();
  const server = createFakeBusServer();
  const bus = openFakeBus(server);
  const [control, status] = [bus.bucket("control"), bus.bucket("status")];
  const open = createOpenAsks();
  let wakes = 0;
  await followAsks(control, open, () => (wakes += 1), new AbortController().signal);
  await control.put("ask.v1", printAsk(ask));
  await control.put("state", "{}");
  await control.put("ask.broken", "{");
  await clock.settle();
  return { clock, server, control, status, open, asks: open.asks, wakes: () => wakes };
}

test("7.5 verbs are followed by key, and each wakes the planner; other keys and what is not ours are none", async () => {
  const { asks, wakes } = await makeBench();
  expect([[...asks.keys()], wakes() > 0]).toEqual([["ask.v1"], true]);
});

test("7.5 a verb that the ledger knows is answered and leaves the bus", async () => {
  const { control, status, open, asks } = await makeBench();
  await answerAsks(control, status, open, { format: newestFormat, asks: { v1: { at: "", answer: "stop v1 on all" } } });
  expect([asks.size, await control.get("ask.v1")]).toEqual([0, undefined]);
  const told = readAnswer((await status.get("answer.v1"))?.value ?? "");
  expect(told).toEqual({ kind: "answer", answer: { text: "stop v1 on all", outcome: "done" } });
});

test("7.2 a verb that the ledger does not know yet stays: it counts from the moment it was asked", async () => {
  const { control, status, open, asks } = await makeBench();
  await answerAsks(control, status, open, undefined);
  expect([asks.size, (await control.get("ask.v1")) === undefined]).toEqual([1, false]);
});

test("7.5 what cannot be carried out is answered under its own name, and leaves the bus", async () => {
  const { clock, control, status, open } = await makeBench();
  const bad = { ...ask, id: "../heads" };
  await control.put("ask.x/heads", printAsk(bad));
  await control.put("ask.v2", printAsk({ ...ask, id: "v2", scope: "bogus" as "all" }));
  await clock.settle();
  await answerAsks(control, status, open, undefined);
  const left = await Promise.all(["broken", "x/heads", "v2", "v1"].map(async (id) => control.get(`ask.${id}`)));
  expect(left.map((entry) => entry !== undefined)).toEqual([false, false, false, true]);
  const told = await Promise.all(
    ["broken", "x/heads", "v2"].map(async (id) => readAnswer((await status.get(`answer.${id}`))?.value ?? "")),
  );
  const refused = (text: unknown) => ({ kind: "answer", answer: { outcome: "refused", text } });
  expect(told).toEqual([
    refused("not carried out: it is not JSON"),
    refused("not carried out: it is not of our form: must be 1 to 80 letters, digits, - or _ at id"),
    refused(expect.stringContaining("must be a scope")),
  ]);
  expect(open.refused.size).toBe(0);
});

test("7.5 an id that every object has is an id like any other", async () => {
  const { clock, control, status, open } = await makeBench();
  await control.put("ask.constructor", printAsk({ ...ask, id: "constructor" }));
  await clock.settle();
  await answerAsks(control, status, open, undefined);
  expect([...open.asks.keys()]).toEqual(["ask.v1", "ask.constructor"]);
});

test("7.5 a flood of one verb is refused beyond a hundred, and leaves room for the others", async () => {
  const { clock, control, open } = await makeBench();
  const flood = { ...ask, verb: "retry", scope: "run/abcdefabcdef" } as const;
  for (let count = 0; count < 105; count += 1)
    await control.put(`ask.f${count}`, printAsk({ ...flood, id: `f${count}` }));
  await control.put("ask.s1", printAsk({ ...ask, id: "s1" }));
  await clock.settle();
  expect([open.asks.size, open.asks.has("ask.s1")]).toEqual([102, true]);
});

test("7.2 a wiped bucket has no verbs", async () => {
  const { clock, server, asks } = await makeBench();
  server.wipe();
  await clock.settle();
  expect(asks.size).toBe(0);
});
