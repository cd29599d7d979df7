import { expect, test } from "vitest";

import { makeBaseline } from "./baseline.ts";

test("1.2 the first record has main's head, author and time, without runs and stops", () => {
  const commit = "0123456789abcdef0123456789abcdef01234567";
  const at = "2026-11-19T12:00:00.000Z";
  expect(makeBaseline(commit, Date.parse(at), "ana", "testmeshroll")).toEqual({
    sentence: "baseline 0123456789ab: nothing moves; later changes of main become runs",
    actor: "ana",
    cause: "init",
    at,
    next: {
      head: "",
      sequence: 1,
      baseline: { commit, at, by: "ana", installation: "testmeshroll" },
      main: commit,
      judged: commit,
      runs: {},
      stops: {},
      requests: {},
      plans: {},
    },
  });
});
