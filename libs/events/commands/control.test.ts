import type { VerbRequest } from "#libs/plan";
import { describe, expect, test } from "vitest";

import { type ControlState, printControlState, printRequest, readControlState, readRequest } from "./control.ts";

const state: ControlState = {
  version: 1,
  ledger: "b".repeat(40),
  main: "a".repeat(40),
  seeded: true,
  beat: "1-2",
  writer: "1",
};
const request: VerbRequest = {
  id: "verb-1",
  verb: "stop",
  scope: "run/abcdefabcdef",
  strength: "move",
  who: "ana",
  why: 'she said "stop"\nnow',
  at: "2026-11-19T12:00:00Z",
};

test("7.2 state has the ledger's head, main's head and whether it is seeded", () => {
  expect(readControlState(printControlState(state))).toEqual(state);
  const { ledger: _, ...unseeded } = { ...state, seeded: false };
  expect(readControlState(printControlState(unseeded))).toEqual(unseeded);
});

test("7.5 a request has its actor, scope and reason", () => {
  expect(readRequest("request.verb-1", printRequest(request))).toEqual({
    ok: true,
    request: { ...request, why: 'she said "stop" now' },
  });
});

test.each([
  "",
  "{",
  "null",
  "{}",
  '{"version":2}',
  JSON.stringify({ ...state, version: 2 }),
  JSON.stringify({ ...state, version: "1" }),
  JSON.stringify({ ...state, version: undefined }),
  JSON.stringify({ ...state, seeded: "yes" }),
])("7.2 anything that is not ours is unknown: %j", (text) => {
  expect([readControlState(text), readRequest("request.verb-1", text).ok]).toEqual([undefined, false]);
});

describe("7.5 an invalid request is refused where it is read", () => {
  const cases: readonly { readonly name: string; readonly more: object; readonly key?: string }[] = [
    { name: "an unknown verb", more: { verb: "explode" } },
    { name: "an invalid scope", more: { scope: "bogus" } },
    { name: "an empty scope", more: { scope: "" } },
    { name: "an impossible run id", more: { scope: "run/constructor" } },
    { name: "an id that is a path", more: { id: "../heads" }, key: "request.../heads" },
    { name: "an id with a slash", more: { id: "a/b" }, key: "request.a/b" },
    { name: "an id that is too long", more: { id: "a".repeat(81) }, key: `request.${"a".repeat(81)}` },
    ...[
      "-",
      "_",
      "constructor",
      "__proto__",
      "stop",
      "stop-",
      "-stop",
      "é-1",
      "found-d68d6afbf241053f",
      "unread-up",
    ].map((id) => ({ name: `an id that no CLI makes: ${id}`, more: { id }, key: `request.${id}` })),
    { name: "a key of another id", more: {}, key: "request.verb-2" },
    { name: "an unknown strength", more: { strength: "total" } },
    { name: "a time of the year 300000", more: { at: "+300000-01-01T00:00:00.000Z" } },
    { name: "an invalid time", more: { at: "" } },
    { name: "an invalid deadline", more: { until: "9999-99-99T00:00:00Z" } },
    { name: "a commit that is an expression", more: { revertTo: "main~1" } },
    { name: "a commit that is an option", more: { revertTo: "--upload-pack=x" } },
    { name: "a record that is a path", more: { verb: "resume", stops: ["../../heads"] } },
    {
      name: "a workload with control characters",
      more: { verb: "retry", workloads: ["one:shop/Deployment/\u001b[2J"] },
    },
    { name: "an unknown field", more: { force: true } },
    { name: "another version", more: { version: 2 } },
    { name: "no version", more: { version: undefined } },
    { name: "a megabyte", more: { why: "x".repeat(1 << 20) } },
  ];
  test.each(cases)("$name", ({ more, key = "request.verb-1" }) => {
    const read = readRequest(key, JSON.stringify({ version: 1, ...request, ...more }));
    expect(read).toEqual({ ok: false, why: expect.stringMatching(/^[ -~]{10,300}$/u) as string });
  });

  test("JSON that is nested very deeply", () => {
    expect(readRequest("request.verb-1", "[".repeat(500_000)).ok).toBe(false);
  });
});

test("7.5 a reason is read as one line without control characters, and cut", () => {
  const why = `\u001b[31mred\u001b[0m \u202Eback\u200B ${"x".repeat(5000)}`;
  const read = readRequest("request.verb-1", JSON.stringify({ version: 1, ...request, who: "a\nb", why }));
  const kept = read.ok ? [read.request.who, read.request.why.slice(0, 16), read.request.why.length] : [];
  expect(kept).toEqual(["a b", "[31mred [0m back", 500]);
});
