import type { FleetStatus } from "#libs/plan";
import { expect, test } from "vitest";

import { printStatus, readStatus } from "./status.ts";

const frame = {
  apiVersion: "meshroll.dev/v1",
  kind: "FleetStatus",
  at: "2026-11-19T12:00:00.000Z",
  main: { head: "a".repeat(40), ageSeconds: 1 },
  state: "Idle",
  where: [],
  rollouts: [],
  waiting: [],
  runs: [],
  clusters: [],
  stops: [],
};
const wait = { scope: "all", code: "Stopped", message: "\u001b[2J\u202Egone\nall well", owner: "ana" };
const dirty = { ...frame, waiting: [wait] } as unknown as FleetStatus;

test("no text of a status controls a terminal, also when another program wrote it", () => {
  const want = "\\u001b[2J\\u202egone\\nall well";
  expect(readStatus(printStatus(dirty))?.waiting[0]?.message).toBe(want);
  expect(readStatus(JSON.stringify(dirty))?.waiting[0]?.message).toBe(want);
});

test.each([
  "",
  "{",
  "null",
  "[]",
  "7",
  JSON.stringify({ ...frame, runs: null }),
  JSON.stringify({ ...frame, kind: "X" }),
])("what is no status is none: %j", (text) => expect(readStatus(text)).toBe(undefined));

test("a status without main's age is read: its planner has not read main itself yet", () => {
  const text = JSON.stringify({ ...frame, main: { head: "" } });
  expect(readStatus(text)?.main).toEqual({ head: "" });
});

test("a very long text is cut", () => {
  const long = { ...frame, next: "x".repeat(100_000) };
  expect((readStatus(JSON.stringify(long)) as FleetStatus).next.length).toBe(4000);
});
