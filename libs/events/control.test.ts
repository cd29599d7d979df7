import { type ControlState, printAsk, printControlState, readAsk, readControlState } from "#libs/events";
import type { Ask } from "#libs/plan";
import { describe, expect, test } from "vitest";

const state: ControlState = {
  version: 1,
  ledger: "b".repeat(40),
  main: "a".repeat(40),
  seeded: true,
  sequence: 7,
  beat: "1-2",
  writer: "1",
};
const ask: Ask = {
  id: "v1",
  verb: "stop",
  scope: "run/abcdefabcdef",
  strength: "move",
  who: "ana",
  why: 'she said "stop"\nnow',
  at: "2026-11-19T12:00:00Z",
};

test("7.2 state says ledger head, main head and whether it is seeded", () => {
  expect(readControlState(printControlState(state))).toEqual(state);
  const { ledger: _, ...unseeded } = { ...state, seeded: false };
  expect(readControlState(printControlState(unseeded))).toEqual(unseeded);
});

test("7.5 a verb names its actor, its scope and why", () => {
  expect(readAsk(printAsk(ask))).toMatchObject(ask);
});

describe("7.2 anything that is not ours is unknown", () => {
  test.each(["", "{", "null", "{}", '{"version":2}', JSON.stringify({ ...state, seeded: "yes" })])("%j", (text) => {
    expect([readControlState(text), readAsk(text)]).toEqual([undefined, undefined]);
  });
  test.each([
    { ...ask, version: 1, verb: "explode" },
    { ...ask, version: 1, scope: "" },
    { ...ask, version: 1, strength: "total" },
  ])("a verb that is none", (value) => {
    expect(readAsk(JSON.stringify(value))).toBe(undefined);
  });
});
