import type { ControlState } from "#libs/events";
import { sha } from "#test/world/build";
import { expect, test } from "vitest";

import { judgeControl } from "./judge-control.ts";

const own: ControlState = {
  version: 1,
  ledger: sha("ledger"),
  main: sha("head"),
  seeded: true,
  sequence: 7,
  beat: "own-1",
  writer: "own",
};
const { ledger: _, ...nameless } = own;
const none = { ageMs: 0, isFetched: false, isKnown: false };
const late = { ageMs: 60_000, isFetched: true, isKnown: false };

const cases: readonly [string, ControlState | undefined, typeof none, ReturnType<typeof judgeControl>][] = [
  ["nothing stands, or nothing that can be read", undefined, none, "write"],
  ["another planner says the same", { ...own, beat: "b", writer: "other" }, none, "keep"],
  ["it names an older ledger", { ...own, ledger: sha("old"), sequence: 6 }, late, "write"],
  ["it says that nothing is seeded", { ...own, seeded: false }, none, "write"],
  ["it names another main", { ...own, main: sha("other") }, none, "write"],
  ["it claims to know more of the very same ledger", { ...own, sequence: 1_000_000 }, none, "write"],
  ["it claims to know more and names no ledger", { ...nameless, sequence: 1_000_000 }, none, "write"],
  ["it names a newer ledger", { ...own, ledger: sha("new"), sequence: 8 }, none, "wait"],
  [
    "it has named one for long, and git was not read",
    { ...own, ledger: sha("new"), sequence: 8 },
    { ...late, isFetched: false },
    "wait",
  ],
  ["git was read, a moment ago", { ...own, ledger: sha("new"), sequence: 8 }, { ...late, ageMs: 5_000 }, "wait"],
  ["git was read, and does not have it", { ...own, ledger: sha("new"), sequence: 8 }, late, "replace"],
  ["git did not have it before", { ...own, ledger: sha("new"), sequence: 8 }, { ...none, isKnown: true }, "replace"],
];

test.each(cases)("%s", (_name, state, claim, want) => expect(judgeControl(state, own, claim)).toBe(want));
