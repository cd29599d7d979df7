import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { BusRefused, type KeyValue } from "#libs/bus";
import { printRequest, readAnswer } from "#libs/events";
import type { VerbRequest } from "#libs/plan";
import { expect, test } from "vitest";

import { answerRequests, createOpenRequests, followRequests } from "./follow-requests.ts";

const request: VerbRequest = {
  id: "verb-1",
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
  await control.put("request.verb-1", printRequest(request));
  await control.put("state", "{}");
  await control.put("request.broken", "{");
  await clock.settle();
  const warned: object[] = [];
  const log = { warn: (fields: object | string) => void warned.push(Object(fields)) };
  const parts = { control, status, log };
  return { clock, server, control, status, parts, warned, open, requests: open.requests, wakes: () => wakes };
}

test("7.5 verbs are followed by key, and each wakes the planner; other keys and invalid values are ignored", async () => {
  const { requests, wakes } = await makeBench();
  expect([[...requests.keys()], wakes() > 0]).toEqual([["request.verb-1"], true]);
});

test("7.5 a verb that the ledger has recorded is answered and leaves the bus", async () => {
  const { control, status, parts, open, requests } = await makeBench();
  await answerRequests(parts, open, {
    requests: { "verb-1": { at: "", answer: "stop verb-1 on all" } },
  });
  expect([requests.size, await control.get("request.verb-1")]).toEqual([0, undefined]);
  const told = readAnswer((await status.get("answer.verb-1"))?.value ?? "");
  expect(told).toEqual({ kind: "answer", answer: { text: "stop verb-1 on all", outcome: "done" } });
});

test("7.2 a verb that is not recorded yet stays on the bus, because it counts from the moment it was placed", async () => {
  const { control, parts, open, requests } = await makeBench();
  await answerRequests(parts, open, undefined);
  expect([requests.size, (await control.get("request.verb-1")) === undefined]).toEqual([1, false]);
});

test("7.5 a verb that cannot be carried out is answered under its own key, and leaves the bus", async () => {
  const { clock, control, status, parts, open } = await makeBench();
  const bad = { ...request, id: "../heads" };
  await control.put("request.x/heads", printRequest(bad));
  await control.put("request.verb-2", printRequest({ ...request, id: "verb-2", scope: "bogus" as "all" }));
  await clock.settle();
  await answerRequests(parts, open, undefined);
  const left = await Promise.all(
    ["broken", "x/heads", "verb-2", "verb-1"].map(async (id) => control.get(`request.${id}`)),
  );
  expect(left.map((entry) => entry !== undefined)).toEqual([false, false, false, true]);
  const told = await Promise.all(
    ["broken", "x/heads", "verb-2"].map(async (id) => readAnswer((await status.get(`answer.${id}`))?.value ?? "")),
  );
  const refused = (text: unknown) => ({ kind: "answer", answer: { outcome: "refused", text } });
  expect(told).toEqual([
    refused("not carried out: it is not JSON"),
    refused(
      "not carried out: it is not of our form: must be a verb, a - and small letters or digits, as stop-1a2b3c4d at id",
    ),
    refused(expect.stringContaining("must be a scope")),
  ]);
  expect(open.refused.size).toBe(0);
});

test("7.5 an answer that the bus refuses is logged, and the other verbs are answered", async () => {
  const { clock, control, status, parts, open, warned } = await makeBench();
  await control.put("request.x", "{");
  await clock.settle();
  const picky: KeyValue = {
    ...status,
    put: async (key, value) => {
      if (key === "answer.broken") throw new BusRefused("not this one");
      return status.put(key, value);
    },
  };
  await answerRequests({ ...parts, status: picky }, open, { requests: { "verb-1": { at: "", answer: "done" } } });
  const answered = await Promise.all(["verb-1", "broken", "x"].map(async (id) => status.get(`answer.${id}`)));
  expect(answered.map((entry) => entry !== undefined)).toEqual([true, false, true]);
  expect(warned).toMatchObject([{ key: "request.broken", error: { message: "not this one" } }]);
});

test("7.5 a flood of one verb is refused beyond a hundred, and leaves room for the others", async () => {
  const { clock, control, open } = await makeBench();
  const flood = { ...request, verb: "retry", scope: "run/abcdefabcdef" } as const;
  for (let count = 0; count < 105; count += 1)
    await control.put(`request.f-${count}`, printRequest({ ...flood, id: `f-${count}`, who: `bot ${count % 10}` }));
  await control.put("request.s-1", printRequest({ ...request, id: "s-1" }));
  await clock.settle();
  expect([open.requests.size, open.requests.has("request.s-1")]).toEqual([102, true]);
});

test("7.5 a flood of one account is refused much earlier, so that others' stops get through", async () => {
  const { clock, control, open } = await makeBench();
  for (let count = 0; count < 200; count += 1)
    await control.put(`request.f-${count}`, printRequest({ ...request, id: `f-${count}`, who: "bot" }));
  await control.put("request.s-1", printRequest({ ...request, id: "s-1", who: "ben" }));
  await clock.settle();
  expect([open.requests.size, open.requests.has("request.s-1")]).toEqual([22, true]);
});

test("7.2 a wiped bucket has no verbs", async () => {
  const { clock, server, requests } = await makeBench();
  server.wipe();
  await clock.settle();
  expect(requests.size).toBe(0);
});

test("7.5 a flood of refused verbs is answered over many reconciles, after those that were carried out", async () => {
  const { clock, control, parts, open } = await makeBench();
  for (let count = 0; count < 120; count += 1) await control.put(`request.x-${count}`, "garbage");
  await clock.settle();
  await answerRequests(parts, open, { requests: { "verb-1": { at: "", answer: "stop verb-1 on all" } } });
  expect([open.requests.size, open.refused.size]).toEqual([0, 71]);
});
