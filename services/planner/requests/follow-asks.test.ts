import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { printRequest, readAnswer } from "#libs/events";
import type { VerbRequest } from "#libs/plan";
import { expect, test } from "vitest";

import { answerRequests, createOpenRequests, followRequests } from "./follow-asks.ts";

const request: VerbRequest = {
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
  const open = createOpenRequests();
  let wakes = 0;
  await followRequests(control, open, () => (wakes += 1), new AbortController().signal);
  await control.put("request.v1", printRequest(request));
  await control.put("state", "{}");
  await control.put("request.broken", "{");
  await clock.settle();
  return { clock, server, control, status, open, requests: open.requests, wakes: () => wakes };
}

test("7.5 verbs are followed by key, and each wakes the planner; other keys and what is not ours are none", async () => {
  const { requests, wakes } = await makeBench();
  expect([[...requests.keys()], wakes() > 0]).toEqual([["request.v1"], true]);
});

test("7.5 a verb that the ledger knows is answered and leaves the bus", async () => {
  const { control, status, open, requests } = await makeBench();
  await answerRequests(control, status, open, {
    requests: { v1: { at: "", answer: "stop v1 on all" } },
  });
  expect([requests.size, await control.get("request.v1")]).toEqual([0, undefined]);
  const told = readAnswer((await status.get("answer.v1"))?.value ?? "");
  expect(told).toEqual({ kind: "answer", answer: { text: "stop v1 on all", outcome: "done" } });
});

test("7.2 a verb that the ledger does not know yet stays: it counts from the moment it was asked", async () => {
  const { control, status, open, requests } = await makeBench();
  await answerRequests(control, status, open, undefined);
  expect([requests.size, (await control.get("request.v1")) === undefined]).toEqual([1, false]);
});

test("7.5 what cannot be carried out is answered under its own name, and leaves the bus", async () => {
  const { clock, control, status, open } = await makeBench();
  const bad = { ...request, id: "../heads" };
  await control.put("request.x/heads", printRequest(bad));
  await control.put("request.v2", printRequest({ ...request, id: "v2", scope: "bogus" as "all" }));
  await clock.settle();
  await answerRequests(control, status, open, undefined);
  const left = await Promise.all(["broken", "x/heads", "v2", "v1"].map(async (id) => control.get(`request.${id}`)));
  expect(left.map((entry) => entry !== undefined)).toEqual([false, false, false, true]);
  const told = await Promise.all(
    ["broken", "x/heads", "v2"].map(async (id) => readAnswer((await status.get(`answer.${id}`))?.value ?? "")),
  );
  const refused = (text: unknown) => ({ kind: "answer", answer: { outcome: "refused", text } });
  expect(told).toEqual([
    refused("not carried out: it is not JSON"),
    refused("not carried out: it is not of our form: must be 1 to 80 letters, digits, - or _, no computed stop at id"),
    refused(expect.stringContaining("must be a scope")),
  ]);
  expect(open.refused.size).toBe(0);
});

test("7.5 an id that every object has is an id like any other", async () => {
  const { clock, control, status, open } = await makeBench();
  await control.put("request.constructor", printRequest({ ...request, id: "constructor" }));
  await clock.settle();
  await answerRequests(control, status, open, undefined);
  expect([...open.requests.keys()]).toEqual(["request.v1", "request.constructor"]);
});

test("7.5 a flood of one verb is refused beyond a hundred, and leaves room for the others", async () => {
  const { clock, control, open } = await makeBench();
  const flood = { ...request, verb: "retry", scope: "run/abcdefabcdef" } as const;
  for (let count = 0; count < 105; count += 1)
    await control.put(`request.f${count}`, printRequest({ ...flood, id: `f${count}`, who: `bot ${count % 10}` }));
  await control.put("request.s1", printRequest({ ...request, id: "s1" }));
  await clock.settle();
  expect([open.requests.size, open.requests.has("request.s1")]).toEqual([102, true]);
});

test("7.5 of one account a flood is refused much earlier: its hundred stops keep no other's out", async () => {
  const { clock, control, open } = await makeBench();
  for (let count = 0; count < 200; count += 1)
    await control.put(`request.f${count}`, printRequest({ ...request, id: `f${count}`, who: "bot" }));
  await control.put("request.s1", printRequest({ ...request, id: "s1", who: "ben" }));
  await clock.settle();
  expect([open.requests.size, open.requests.has("request.s1")]).toEqual([22, true]);
});

test("7.2 a wiped bucket has no verbs", async () => {
  const { clock, server, requests } = await makeBench();
  server.wipe();
  await clock.settle();
  expect(requests.size).toBe(0);
});
