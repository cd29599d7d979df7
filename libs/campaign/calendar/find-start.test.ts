import { describe, expect, it } from "vitest";

import type { Window } from "./calendar.ts";
import { findStart } from "./find-start.ts";

const monday = Date.parse("2026-11-23T07:00:00Z");
const hour = 3_600_000;

function allow(schedule: string): Window {
  return { kind: "allow", schedule, duration: 8 * hour, timeZone: "Europe/Berlin", atEnd: "finishBatch" };
}
const open = { windows: [], freezes: [] };
const weekdays = { windows: [allow("0 9 * * 1-4")], freezes: [] };

describe("when calendars let a run begin", () => {
  it("is at once and without an end, if there are no rules", () =>
    expect(findStart([open, open], monday)).toEqual({ at: monday }));

  it("is when its window opens, in the window's zone, until it closes", () => {
    const start = findStart([open, weekdays], monday);
    expect(start).toMatchObject({ at: Date.parse("2026-11-23T08:00:00Z"), until: Date.parse("2026-11-23T16:00:00Z") });
    expect(start.cause?.kind).toBe("outsideAllowed");
  });

  it("is when all of several are open: one opens while another is frozen", () => {
    const frozen = { windows: [], freezes: [{ from: monday, to: monday + 30 * hour, reason: "peak" }] };
    const { at, cause } = findStart([weekdays, frozen], monday);
    expect(at).toBe(Date.parse("2026-11-24T13:00:00Z"));
    expect(cause?.kind).toBe("outsideAllowed");
  });

  it("is never, if two windows never overlap", () => {
    const start = findStart([weekdays, { windows: [allow("0 9 * * 6")], freezes: [] }], monday);
    expect(start.at).toBeUndefined();
    expect(start.cause?.kind).toBe("outsideAllowed");
  });
});
