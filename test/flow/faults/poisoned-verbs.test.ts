import { readAnswer } from "#libs/events";
import { describe, expect, test } from "vitest";

import { file, openShop, listMovedPaths } from "../shop.ts";

const good = {
  version: 1,
  verb: "stop",
  scope: "all",
  strength: "move",
  who: "eve",
  why: "x",
  at: "2026-11-19T12:00:00Z",
};

/** Requests that any client of the bus can write. */
const cases: readonly { readonly name: string; readonly key: string; readonly value: string }[] = [
  {
    name: "an invalid scope",
    key: "request.verb-1",
    value: JSON.stringify({ ...good, id: "verb-1", scope: "bogus" }),
  },
  { name: "an id with a relative path", key: "request.verb-2", value: JSON.stringify({ ...good, id: "../heads" }) },
  { name: "a key that is a path", key: "request./heads", value: JSON.stringify({ ...good, id: "/heads" }) },
  {
    name: "a run id that is a property of every object",
    key: "request.verb-3",
    value: JSON.stringify({ ...good, id: "verb-3", verb: "rollback", scope: "run/constructor" }),
  },
  {
    name: "a retry of such a run",
    key: "request.verb-4",
    value: JSON.stringify({ ...good, id: "verb-4", verb: "retry", scope: "run/__proto__" }),
  },
  {
    name: "a resume of a stop id that is a property of every object",
    key: "request.verb-5",
    value: JSON.stringify({ ...good, id: "verb-5", verb: "resume", stops: ["constructor", "__proto__"] }),
  },
  {
    name: "a rollback to an expression of git",
    key: "request.verb-6",
    value: JSON.stringify({ ...good, id: "verb-6", verb: "rollback", scope: "run/abcdefabcdef", revertTo: "--all" }),
  },
  {
    name: "a rollback of an unknown run",
    key: "request.verb-7",
    value: JSON.stringify({ ...good, id: "verb-7", verb: "rollback", scope: "run/abcdefabcdef" }),
  },
  {
    name: "an invalid time",
    key: "request.verb-8",
    value: JSON.stringify({ ...good, id: "verb-8", at: "+300000-01-01T00:00:00.000Z", until: "soon" }),
  },
  {
    name: "a hold that has the name of kubectl's stop",
    key: "request.kubectl",
    value: JSON.stringify({ ...good, id: "kubectl", scope: "cluster/one", strength: "propose" }),
  },
  {
    name: "a hold that has the name of main's own stop",
    key: "request.unread-up",
    value: JSON.stringify({ ...good, id: "unread-up", scope: "campaign/up", strength: "propose" }),
  },
  {
    name: "an id that is a property of every object",
    key: "request.constructor",
    value: JSON.stringify({ ...good, id: "constructor" }),
  },
  { name: "no JSON", key: "request.verb-9", value: "{" },
  { name: "100,000 nested brackets", key: "request.verb-10", value: "[".repeat(100_000) },
];

describe("7.5 a request that cannot be carried out is answered and removed, and the fleet continues", () => {
  test.each(cases)("$name", async ({ key, value }) => {
    const flow = await openShop();
    await flow.bucket("control").put(key, value);
    await flow.pass(5000);
    const answer = (await flow.bucket("status").get(`answer.${key.slice("request.".length)}`))?.value ?? "";

    flow.whenMerged(file(100));
    const runs = await flow.untilRunsEnd(1);

    const notDone = expect.stringMatching(/^(?:refused|nothing)$/u) as string;
    const said = expect.stringMatching(/.{10}/u) as string;
    expect(readAnswer(answer)).toEqual({ kind: "answer", answer: { outcome: notDone, text: said } });
    expect(await flow.bucket("control").get(key)).toBe(undefined);
    expect(runs.map(({ state, outcome }) => [state, outcome?.migrated])).toEqual([["done", 6]]);
    expect([listMovedPaths(flow).length, Object.keys((await flow.ledger())?.stops ?? {})]).toEqual([6, []]);
    await flow.end();
  });
});

test("7.5 all of them at once, before a planner starts, do not prevent a stop from counting and from being recorded", async () => {
  const flow = await openShop();
  await flow.killPlanner();
  for (const { key, value } of cases) await flow.bucket("control").put(key, value);
  await flow.whenAsked({ verb: "stop", scope: "cluster/one" });
  flow.startPlanner();
  await flow.pass(60_000);

  const stops = Object.values((await flow.ledger())?.stops ?? {});
  expect(stops.map(({ scope, resume }) => [scope, resume])).toEqual([["cluster/one", undefined]]);
  flow.whenMerged(file(100));
  await flow.pass(300_000);
  expect(listMovedPaths(flow)).toEqual([]);
  expect((await flow.status())?.waiting.map(({ code }) => code)).toEqual(["Stopped"]);
  await flow.end();
});

test("7.5 a request with the id of a recorded stop is refused, and the stop stays unchanged", async () => {
  const flow = await openShop();
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(0));
  await flow.untilRunsEnd(2);
  const [hold] = Object.values((await flow.ledger())?.stops ?? {});
  await flow.whenAsked({ id: hold?.id ?? "", verb: "stop", scope: "namespace/nowhere", strength: "propose" });
  await flow.pass(5000);

  expect(hold).toMatchObject({ cause: "rolledBack", scope: "bucket/production" });
  expect(Object.values((await flow.ledger())?.stops ?? {})).toEqual([hold]);
  const answer = (await flow.bucket("status").get(`answer.${hold?.id}`))?.value ?? "";
  expect(readAnswer(answer)).toMatchObject({ kind: "answer", answer: { outcome: "refused" } });
  await flow.end();
});
