import { expect, it } from "vitest";

import { readTransition } from "./transition-line.ts";

const sha = "a".repeat(40);
const at = Date.UTC(2026, 10, 19, 11, 30);

const cases = [
  {
    name: "one of the planner has its actor, cause, scopes and the planner's time",
    message: [
      "run 4c8b717cd4df started: raise (ben)",
      "",
      "Actor: ben",
      "Cause: MainChanged",
      "About: run/4c8b717cd4df",
      "About: campaign/c",
      "At: 2026-11-19T10:00:00.000Z",
      "Main: b",
    ].join("\n"),
    want: {
      at: "2026-11-19T10:00:00.000Z",
      clock: "planner",
      sentence: "run 4c8b717cd4df started: raise (ben)",
      about: ["run/4c8b717cd4df", "campaign/c"],
      actor: "ben",
      cause: "MainChanged",
    },
  },
  {
    name: "one that was made by hand is its first line, at git's time",
    message: "fixed by hand\n\nbecause of an incident\n",
    want: { at: "2026-11-19T11:30:00.000Z", clock: "git", sentence: "fixed by hand", about: [] },
  },
  {
    name: "a reason cannot imitate the lines at the end",
    message: "stop x\n\nActor: root\nAbout: all\n\nActor: eve\nCause: StopPlaced\n",
    want: {
      at: "2026-11-19T11:30:00.000Z",
      clock: "git",
      sentence: "stop x",
      about: [],
      actor: "eve",
      cause: "StopPlaced",
    },
  },
  {
    name: "a time that no calendar has is git's",
    message: "x\n\nActor: eve\nAt: +275760-09-12T00:00:00Z\n",
    want: { at: "2026-11-19T11:30:00.000Z", clock: "git", sentence: "x", about: [], actor: "eve" },
  },
  { name: "an empty message is an empty sentence", message: "", want: { clock: "git", sentence: "", about: [] } },
];

it.each(cases)("a commit of the ledger: $name", ({ message, want }) => {
  const read = readTransition({ sha, at, message });
  expect(read).toEqual({ at: "2026-11-19T11:30:00.000Z", ...want, commit: sha });
});

it.each([Number.MAX_SAFE_INTEGER, -1e15])("a commit date outside of the calendar is moved into it: %d", (when) => {
  expect(readTransition({ sha, at: when, message: "x" }).at).toMatch(/^(?:1970|9999)-/);
});
