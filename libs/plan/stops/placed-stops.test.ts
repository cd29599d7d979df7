import { describe, expect, it } from "vitest";

import { chooseResumed, isPlacedByMeshroll, isUnderRollback } from "./placed-stops.ts";

const scope = "run/0123456789ab";

describe("who placed a stop", () => {
  it("recognises automatic stops", () => {
    const own = ["failures", "gate", "jobFailed", "forcedPush", "otherCluster"];
    const causes = [...own, "verb", "rollback", "rolledBack", undefined];
    expect(causes.filter((cause) => isPlacedByMeshroll(cause === undefined ? {} : { cause }))).toEqual(own);
  });

  it("a rollback of the same run counts, and one of another run does not", () => {
    const stops = [{ scope, cause: "failures" }, { scope, cause: "rollback" }, { scope: "run/ffffffffffff" }];
    expect(stops.map((stop) => isUnderRollback(stop, stops))).toEqual([true, true, false]);
  });
});

describe("what a resume ends", () => {
  const ana = { who: "ana", cause: "verb" };
  const ben = { who: "ben", cause: "verb" };
  const ours = { who: "meshroll planner", cause: "failures" };
  it.each([
    { name: "what its caller placed", stops: [ours, ben, ana], want: [ana] },
    { name: "what others placed, where the caller placed none", stops: [ours, ben], want: [ben] },
    { name: "what meshroll placed, where people placed none", stops: [ours], want: [ours] },
  ])("$name", ({ stops, want }) => expect(chooseResumed(stops, "ana")).toEqual(want));
});
