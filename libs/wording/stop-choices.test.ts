import { describe, expect, it } from "vitest";

import { renderReason } from "./reasons/reason.ts";
import { listChoices } from "./stop-choices.ts";

const scope = "run/0123456789ab";
const verbs = (cause: string, of: string = scope) =>
  listChoices({ scope: of, cause }).map(({ command }) => command.split(" ").slice(1, 3).join(" "));

describe("choices for a stop", () => {
  it.each([
    { cause: "failures", want: ["get failures", `retry ${scope}`, `rollback ${scope}`, `resume ${scope}`] },
    {
      cause: "gate",
      want: [`describe ${scope}`, "get failures", `retry ${scope}`, `rollback ${scope}`, `resume ${scope}`],
    },
    { cause: "verb", want: [] },
  ])("of cause $cause: the safest first, and to go on last", ({ cause, want }) => {
    expect(verbs(cause)).toEqual(want);
  });

  it("of a gate names the campaign whose status shows it, and what failed where workloads of its run did", () => {
    const known = { scope, cause: "gate", campaign: "istio-1-25", hasFailed: true } as const;
    expect(listChoices(known).map(({ command }) => command.split(" ").slice(1, 3).join(" "))).toEqual([
      "status istio-1-25",
      "get failures",
      `retry ${scope}`,
      `rollback ${scope}`,
      `resume ${scope}`,
    ]);
  });

  it("of a gate has nothing to retry where no workload failed", () => {
    const choices = listChoices({ scope, cause: "gate", hasFailed: false });
    expect(choices.map(({ command }) => command.split(" ")[1])).toEqual(["describe", "rollback", "resume"]);
  });

  it("begins with a look for a stage that it holds, not with a resume", () => {
    const stop = { id: "f", scope, strength: "move", cause: "failures", who: "meshroll planner", why: "x" } as const;
    const campaign = { name: "istio-1-25", owners: [], file: "campaigns/istio-1-25.yml" };
    const held = { code: "StageHeld", campaign, stage: "prod-100", more: 0 } as const;
    expect(renderReason({ ...held, stop }).command).toBe(`meshroll get failures ${scope}`);
    expect(renderReason({ ...held, stop: { ...stop, cause: "verb" } }).command).toContain(`meshroll resume ${scope}`);
  });

  it("is only to look while a rollback of its run is in force", () => {
    const ways = (cause: string) =>
      listChoices({ scope, cause, isRollingBack: true }).map(({ command }) => command.split(" ")[1]);
    expect([ways("failures"), ways("gate")]).toEqual([["get"], ["describe", "get"]]);
  });

  it("is a single command where the stop is not on a run", () => {
    expect(verbs("failures", "cluster/one")).toEqual([]);
  });

  it("is to look first: the command of the reason never lets the run go on", () => {
    const stop = { id: "f", scope, strength: "move", cause: "failures", who: "meshroll planner", why: "x" } as const;
    const { command, choices = [] } = renderReason({ code: "Stopped", stop });
    expect([command, choices.length]).toEqual(["meshroll get failures run/0123456789ab", 4]);
    const pause = renderReason({ code: "Stopped", stop: { ...stop, cause: "verb" } });
    expect([pause.command, pause.choices]).toEqual([`meshroll resume ${scope} --reason "…"`, undefined]);
  });
});
