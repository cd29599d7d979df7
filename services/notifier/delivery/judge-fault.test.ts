import { BusUnavailable } from "#libs/bus";
import { ChatRefused, ChatUnavailable } from "#libs/chat";
import { ScmRefused, ScmUnavailable } from "#libs/scm";
import { expect, it } from "vitest";

import { judgeFault } from "./judge-fault.ts";

const cases = [
  {
    name: "a chat that is down for a day",

    error: new ChatUnavailable("x"),
    tries: 2_000,
    want: { againAfterMs: 10_000, level: "warn" },
  },
  {
    name: "a chat that says how long to wait",
    error: new ChatUnavailable("x", { retryAfterMs: 90_000 }),
    tries: 9,
    want: { againAfterMs: 90_000, level: "warn" },
  },
  {
    name: "GitHub that is away",
    error: new ScmUnavailable("x"),
    tries: 1,
    want: { againAfterMs: 500, level: "warn" },
  },
  {
    name: "a bus that is away",
    error: new BusUnavailable("x"),
    tries: 2,
    want: { againAfterMs: 1_000, level: "warn" },
  },
  {
    name: "a token that is wrong",
    error: new ChatRefused("x", "setup", "y"),
    tries: 999,
    want: { againAfterMs: 60_000, level: "error" },
  },
  {
    name: "a right that is missing",
    error: new ScmRefused("x", "y"),
    tries: 999,
    want: { againAfterMs: 60_000, level: "error" },
  },
  {
    name: "a login that GitHub does not take",
    error: new ScmRefused("x", "y", { status: 401 }),
    tries: 999,
    want: { againAfterMs: 60_000, level: "error" },
  },
  {
    name: "a conversation that was locked, for the fourth time",
    error: new ScmRefused("x", "y", { status: 403 }),
    tries: 4,
    want: { againAfterMs: 60_000, level: "error" },
  },
  {
    name: "a conversation that was locked, for the fifth time",
    error: new ScmRefused("x", "y", { status: 403 }),
    tries: 5,
    want: { againAfterMs: "drop", level: "error" },
  },
  {
    name: "a right of an app that is missing",
    error: new ScmRefused("x", "y", { status: 403, reason: "AppRightMissing" }),
    tries: 999,
    want: { againAfterMs: 60_000, level: "error" },
  },
  {
    name: "a message that cannot be shown",
    error: new ChatRefused("x", "message", "y"),
    tries: 1,
    want: { againAfterMs: "drop", level: "error" },
  },
  { name: "a bug of ours, first", error: new TypeError("x"), tries: 1, want: { againAfterMs: 500, level: "error" } },
  {
    name: "a bug of ours, for the fifth time",
    error: new TypeError("x"),
    tries: 5,
    want: { againAfterMs: "drop", level: "error" },
  },
];

it.each(cases)("$name: $want", ({ error, tries, want }) => {
  expect(judgeFault(error, tries)).toMatchObject(want);
});

it("an outage has one key whatever its message, and another place's outage another key", () => {
  const [first, again, other] = [
    new ChatUnavailable("waits 10 s"),
    new ChatUnavailable("no route to host"),
    new BusUnavailable("waits 10 s"),
  ].map((error) => judgeFault(error, 1).key);
  expect(first).toBe(again);
  expect(first).not.toBe(other);
});
