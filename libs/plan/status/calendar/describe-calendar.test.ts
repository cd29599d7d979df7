import type { Window } from "#libs/campaign";
import { seeCampaign } from "#test/world/campaigns/campaign-view";
import { describe, expect, it } from "vitest";

import { describeCalendar } from "./describe-calendar.ts";

const noon = Date.parse("2026-11-19T12:00:00Z");
const hour = 3_600_000;
const iso = (ms: number) => new Date(noon + ms).toISOString();

const daily = (from: number, hours: number, kind: Window["kind"] = "allow"): Window => ({
  kind,
  schedule: `0 ${from} * * *`,
  duration: hours * hour,
  timeZone: "UTC",
  atEnd: "finishBatch",
});
const freeze = (from: number, to: number) => ({ from: noon + from, to: noon + to, reason: "peak" });
const none = { windows: [], freezes: [] };

describe("a campaign's calendar", () => {
  const cases = [
    { title: "without windows and freezes there is none", calendars: [none, none], want: undefined },
    {
      title: "an open window closes",
      calendars: [{ windows: [daily(9, 8)], freezes: [] }, none],
      want: { open: true, changes: { event: "WindowCloses", at: iso(5 * hour) } },
    },
    {
      title: "of several the one that closes first counts, here by a freeze",
      calendars: [
        { windows: [daily(9, 8)], freezes: [] },
        { windows: [], freezes: [freeze(hour, 2 * hour)] },
      ],
      want: { open: true, changes: { event: "FreezeBegins", at: iso(hour) } },
    },
    {
      title: "a closed window opens",
      calendars: [{ windows: [daily(20, 2)], freezes: [] }],
      want: {
        open: false,
        why: 'outside the window "0 20 * * *" for 2h, UTC',
        changes: { event: "WindowOpens", at: iso(8 * hour) },
      },
    },
    {
      title: "of several closed ones the one that stays so the longest counts",
      calendars: [
        { windows: [daily(20, 2)], freezes: [] },
        { windows: [], freezes: [freeze(-hour, 30 * hour)] },
      ],
      want: { open: false, why: "freeze: peak", changes: { event: "FreezeEnds", at: iso(30 * hour) } },
    },
    {
      title: "one that does not open within a year has no time",
      calendars: [{ windows: [daily(0, 24, "deny")], freezes: [] }],
      want: { open: false, why: 'inside the denying window "0 0 * * *" for 1d, UTC' },
    },
  ];
  it.each(cases)("$title", ({ calendars, want }) => {
    const found = describeCalendar(calendars, noon);
    const changes =
      found?.changes === undefined ? {} : { changes: { event: found.changes.event, at: found.changes.at } };
    expect(found === undefined ? undefined : { ...found, ...changes }).toEqual(want);
  });
});

describe("the calendar in a campaign's status", () => {
  const half = { windows: [daily(9, 8)] };

  it("is that of its stage", () => {
    expect(seeCampaign({ moved: 4, half }).calendar?.changes?.event).toBe("WindowCloses");
    expect(seeCampaign({ moved: 4 }).calendar).toBeUndefined();
  });

  it("is left out while a rollback moves, which no window holds", () => {
    const changes = [
      { pattern: "production", from: "new: 100", to: "new: 50, old: 50", direction: "rollback" as const },
    ];
    const found = seeCampaign({ moved: 4, half, run: { changes } });
    expect(found.rollback).toBeDefined();
    expect(found.calendar).toBeUndefined();
  });
});
