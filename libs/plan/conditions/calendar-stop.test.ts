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
    { name: "a freeze of its stage", head: makeHead({ freezes: [freeze(1, "stage")] }), run: own, want: "stage" },
    {
      name: "without a run no freeze of a stage counts",
      head: makeHead({ freezes: [freeze(1, "x")] }),
      run: undefined,
      want: undefined,
    },
    {
      name: "freezes of both: the one that ends later, of the stage",
      head: makeHead({ freezes: [freeze(3, "stage")] }, { freezes: [freeze(2, "fleet")] }),
      run: own,
      want: "stage",
    },
    {
      name: "a window of meshroll.yml that never opens comes before a freeze of the stage",
      head: makeHead({ freezes: [freeze(2, "stage")] }, { windows: [never] }),
      run: own,
      want: "0 * * * *",
    },
    {
      name: "a window of the stage that never opens comes before a freeze of meshroll.yml",
      head: makeHead({ windows: [never] }, { freezes: [freeze(2, "fleet")] }),
      run: own,
      want: "0 * * * *",
    },
    { name: "a window of its stage", head: makeHead({ windows: [night("stop")] }), run: own, want: "0 1 * * *" },
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
    { name: "a freeze holds a run that has begun", stage: { freezes: [freeze(1, "x")] }, view: begun, want: "Frozen" },
    {
      name: "a window holds a run that has not begun",
      stage: { windows: [night("stop")] },
      view: fresh,
      want: "WindowClosed",
    },
    {
      name: "a window with atEnd: finishStage does not hold a run that has begun",
      stage: { windows: [night("finishStage")] },
      view: begun,
      want: undefined,
    },
    {
      name: "a window with atEnd: finishStage holds a run that has not begun",
      stage: { windows: [night("finishStage")] },
      view: fresh,
      want: "WindowClosed",
    },
  ];
  it.each(cases)("$name", ({ stage, view, want }) => {
    expect(findCalendarStop(makeHead(stage), view, noon)?.code).toBe(want);
  });

  it("says when it opens, if that is within a year", () => {
    const wait = findCalendarStop(makeHead({ freezes: [freeze(2, "peak")] }), fresh, noon);
    expect(wait).toMatchObject({
      code: "Frozen",
      cause: { kind: "freeze", freeze: expect.objectContaining({ reason: "peak" }) },
      until: new Date(noon + 2 * hour).toISOString(),
    });
    expect(findCalendarStop(makeHead({ windows: [never] }), fresh, noon)).not.toHaveProperty("until");
  });
});
