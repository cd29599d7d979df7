import { renderReason } from "#libs/wording";
import { expect, it } from "vitest";

import { groupWaits, isForPeople } from "./group-waits.ts";

const wait = (scope: string, until?: string) => ({
  scope,
  ...renderReason({ code: "QueueDown" }),
  ...(until === undefined ? {} : { until }),
});

it("the same wait in several places is one, unless its end differs", () => {
  const groups = groupWaits([wait("run/a"), wait("run/b"), wait("run/b"), wait("run/c", "2026-11-19T12:00:00Z")]);
  expect(groups.map(({ scopes }) => scopes)).toEqual([["run/a", "run/b"], ["run/c"]]);
});

it("waits of many clusters for the same cause are one, with the others in it; two are listed on their own", () => {
  const closed = (cluster: string) => ({
    scope: `run/a@${cluster}`,
    ...renderReason({ code: "WaveClosed", cluster }),
  });
  const [two, many] = [["x", "y"].map(closed), ["x", "y", "z"].map(closed)];
  expect(groupWaits(two).map(({ scopes, alike }) => [scopes.length, alike.length])).toEqual([
    [1, 0],
    [1, 0],
  ]);
  const [group, ...others] = groupWaits(many);
  expect(others).toEqual([]);
  expect(group?.scopes).toEqual(["run/a@x", "run/a@y", "run/a@z"]);
  expect(group?.alike.map(({ scope }) => scope)).toEqual(["run/a@y", "run/a@z"]);
});

it("those that a person ends come first", () => {
  const closed = { scope: "run/a@x", ...renderReason({ code: "WaveClosed", cluster: "x" }) };
  const merging = {
    scope: "pull/7",
    ...renderReason({ code: "StageOver", number: 7, why: "main has it", owner: "ana" }),
  };
  expect(groupWaits([closed, merging]).map(({ wait }) => wait.code)).toEqual(["StageOver", "WaveClosed"]);
});

const until = "2026-11-19T12:00:00Z";
it.each([
  { title: "a freeze that never ends", wait: { code: "Frozen" }, want: true },
  { title: "one with a time is for no person", wait: { code: "Frozen", until }, want: false },
  { title: "the time of a stop only reminds", wait: { code: "Stopped", until }, want: true },
])("for people: $title", ({ want, wait: each }) => expect(isForPeople(each)).toBe(want));
