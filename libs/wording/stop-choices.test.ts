import { describe, expect, it } from "vitest";

import { renderReason } from "./reasons/reason.ts";
import { isPlacedByMeshroll, listChoices } from "./stop-choices.ts";

const scope = "run/0123456789ab";
const verbs = (cause: string, of: string = scope) =>
  listChoices({ scope: of, cause }).map(({ command }) => command.split(" ").slice(1, 3).join(" "));

describe("what a person may do about a stop", () => {
  it.each([
    { cause: "failures", want: ["get failures", `rollback ${scope}`, `retry ${scope}`, `resume ${scope}`] },
    { cause: "gate", want: ["status", `rollback ${scope}`, `resume ${scope}`] },
    { cause: "verb", want: [] },
  ])("of cause $cause: the safest first, and to go on last", ({ cause, want }) => {
    expect(verbs(cause)).toEqual(want);
  });

  it("is one command alone where it is no run's", () => {
    expect(verbs("failures", "cluster/one")).toEqual([]);
  });

  it("is to look first: the command of the reason never lets the run go on", () => {
    const stop = { id: "f", scope, strength: "move", cause: "failures", who: "meshroll planner", why: "x" } as const;
    const { command, choices = [] } = renderReason({ code: "Stopped", stop });
    expect([command, choices.length]).toEqual(["meshroll get failures run/0123456789ab", 4]);
    const pause = renderReason({ code: "Stopped", stop: { ...stop, cause: "verb" } });
    expect([pause.command, pause.choices]).toEqual([`meshroll resume ${scope} --reason "…"`, undefined]);
  });

  it("knows what meshroll places without being asked", () => {
    const causes = [
      "failures",
      "gate",
      "jobFailed",
      "forcedPush",
      "otherCluster",
      "verb",
      "rollback",
      "rolledBack",
      undefined,
    ];
    const own = causes.filter((cause) => isPlacedByMeshroll(cause === undefined ? {} : { cause }));
    expect(own).toEqual(causes.slice(0, 5));
  });
});
