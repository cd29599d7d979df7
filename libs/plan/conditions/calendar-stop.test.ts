import type { Settings, Window } from "#libs/campaign";
import { explainClosed } from "#libs/wording";
import { makeRun, makeSpec, noon, sha } from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaigns/campaign";
import { describe, expect, it } from "vitest";

import { findCalendarStop, findClosed } from "./calendar-stop.ts";
import type { RunInCluster } from "../index/run-view.ts";

const hour = 3_600_000;
const freeze = (hours: number, reason: string) => ({ from: noon - hour, to: noon + hours * hour, reason });
/** Open only at one o'clock in the morning. */
const night = (atEnd: Window["atEnd"]): Window => ({
  kind: "allow",
  schedule: "0 1 * * *",
  duration: hour,
  timeZone: "Europe/Berlin",
  atEnd,
});
/** Never open within a year. */
const never: Window = { kind: "deny", schedule: "0 * * * *", duration: hour, timeZone: "UTC", atEnd: "stop" };

function makeHead(stage: Partial<Settings>, fleet: Partial<Settings> = {}) {
  const campaign = makeCampaign({ stages: [makeStage("all", 100, stage)] });
  return withCampaign(makeSpec(sha("head"), 100, fleet), campaign);
}

const own = makeRun(sha("head"), sha("base"), { campaign: "up", stage: "all" });

describe("1.4 what closes a run's calendar", () => {
  const cases = [
    { name: "its stage", head: makeHead({ freezes: [freeze(1, "stage")] }), run: own, want: "stage" },
    {
      name: "nor one that is not on main any more",
      head: makeHead({ freezes: [freeze(1, "x")] }),
      run: undefined,
      want: undefined,
    },
    {
      name: "of both the one that opens later: the stage",
      head: makeHead({ freezes: [freeze(3, "stage")] }, { freezes: [freeze(2, "fleet")] }),
      run: own,
      want: "stage",
    },
    {
      name: "of both the one that never opens: meshroll.yml",
      head: makeHead({ freezes: [freeze(2, "stage")] }, { windows: [never] }),
      run: own,
      want: "0 * * * *",
    },
    {
      name: "of both the one that never opens: the stage",
      head: makeHead({ windows: [never] }, { freezes: [freeze(2, "fleet")] }),
      run: own,
      want: "0 * * * *",
    },
    { name: "a window", head: makeHead({ windows: [night("stop")] }), run: own, want: "0 1 * * *" },
  ];
  it.each(cases)("$name", ({ head, run, want }) => {
    const cause = findClosed(head, run, noon)?.cause;
    expect(cause === undefined ? "open" : explainClosed(cause)).toContain(want ?? "open");
  });
});

describe("7.1 what a closed calendar holds", () => {
  const begun = { run: own, clusters: new Map([["one", {} as RunInCluster]]) };
  const fresh = { run: { ...own, clusters: {} }, clusters: new Map() };
  const cases = [
    { name: "a freeze holds a run that began", stage: { freezes: [freeze(1, "x")] }, view: begun, want: "Frozen" },
    { name: "a window holds one that did not", stage: { windows: [night("stop")] }, view: fresh, want: "WindowClosed" },
    {
      name: "with finishStage not one that began",
      stage: { windows: [night("finishStage")] },
      view: begun,
      want: undefined,
    },
    { name: "but one that did not", stage: { windows: [night("finishStage")] }, view: fresh, want: "WindowClosed" },
  ];
  it.each(cases)("$name", ({ stage, view, want }) => {
    expect(findCalendarStop(makeHead(stage), view, noon)?.code).toBe(want);
  });

  it("says until when, where that is within a year", () => {
    const wait = findCalendarStop(makeHead({ freezes: [freeze(2, "peak")] }), fresh, noon);
    expect(wait).toMatchObject({
      code: "Frozen",
      cause: { kind: "freeze", freeze: expect.objectContaining({ reason: "peak" }) },
      until: new Date(noon + 2 * hour).toISOString(),
    });
    expect(findCalendarStop(makeHead({ windows: [never] }), fresh, noon)).not.toHaveProperty("until");
  });
});
