import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { CalendarState, Freeze, Window } from "./calendar.ts";
import { judgeCalendar } from "./judge-calendar.ts";

const hour = 3_600_000;
const day = 24 * hour;
const at = (iso: string): number => Date.parse(iso);

function makeWindow(over: Partial<Window> = {}): Window {
  const usual = { kind: "allow", schedule: "0 9 * * 1-4", duration: 8 * hour, timeZone: "UTC", atEnd: "finishBatch" };
  return { ...usual, ...over } as Window;
}

function makeFreeze(from: string, to: string): Freeze {
  return { from: at(from), to: at(to), reason: "peak" };
}

/** `open until …`, `closed until …`; times as ISO minutes. */
function print(state: CalendarState): string {
  const until = state.until === undefined ? "" : ` until ${new Date(state.until).toISOString().slice(0, 16)}Z`;
  return `${state.kind}${until}`;
}

interface DayCase {
  readonly name: string;
  readonly window: Partial<Window>;
  readonly now: string;
  readonly want: string;
}

describe("daylight saving time", () => {
  const berlin = { timeZone: "Europe/Berlin" };
  const newYork = { timeZone: "America/New_York" };
  const nightly = { schedule: "0 22 * * *", duration: 8 * hour };
  const early = { schedule: "30 2 * * *", duration: hour };
  const cases: readonly DayCase[] = [
    { name: "Berlin, winter", window: berlin, now: "2026-03-26T12:00Z", want: "open until 2026-03-26T16:00Z" },
    { name: "Berlin, summer", window: berlin, now: "2026-03-30T12:00Z", want: "open until 2026-03-30T15:00Z" },
    {
      name: "Berlin, the night of 23 hours ends at 06:00 on the wall",
      window: { ...berlin, ...nightly },
      now: "2026-03-28T23:00Z",
      want: "open until 2026-03-29T04:00Z",
    },
    {
      name: "Berlin, the night of 25 hours ends at 06:00 on the wall",
      window: { ...berlin, ...nightly },
      now: "2026-10-24T22:00Z",
      want: "open until 2026-10-25T05:00Z",
    },
    {
      name: "Berlin, 02:30 does not exist: the clock is past it from the change on",
      window: { ...berlin, ...early },
      now: "2026-03-29T00:00Z",
      want: "closed until 2026-03-29T01:00Z",
    },
    {
      name: "Berlin, 02:30 exists twice: the first one opens",
      window: { ...berlin, ...early },
      now: "2026-10-24T23:00Z",
      want: "closed until 2026-10-25T00:30Z",
    },
    {
      name: "Berlin, an allowing window that ends at 02:30 ends at the first",
      window: { ...berlin, schedule: "0 1 * * *", duration: 1.5 * hour },
      now: "2026-10-24T23:30Z",
      want: "open until 2026-10-25T00:30Z",
    },
    {
      name: "Berlin, a denying window that ends at 02:30 ends at the last",
      window: { ...berlin, kind: "deny", schedule: "0 1 * * *", duration: 1.5 * hour },
      now: "2026-10-24T23:30Z",
      want: "closed until 2026-10-25T01:30Z",
    },
    {
      name: "New York, the hour that is skipped",
      window: { ...newYork, schedule: "0 2 8 3 *", duration: 2 * hour },
      now: "2026-03-08T06:00Z",
      want: "closed until 2026-03-08T07:00Z",
    },
    {
      name: "New York, the hour that comes twice",
      window: { ...newYork, schedule: "0 1 1 11 *", duration: hour },
      now: "2026-11-01T05:30Z",
      want: "open until 2026-11-01T07:00Z",
    },
    {
      name: "Kolkata, half an hour off, never changes",
      window: { timeZone: "Asia/Kolkata" },
      now: "2026-03-30T12:00Z",
      want: "closed until 2026-03-31T03:30Z",
    },
    {
      name: "Lord Howe, half an hour of summer",
      window: { timeZone: "Australia/Lord_Howe" },
      now: "2026-10-05T00:00Z",
      want: "open until 2026-10-05T06:00Z",
    },
  ];
  it.each(cases)("$name", ({ window, now, want }) => {
    expect(print(judgeCalendar({ windows: [makeWindow(window)], freezes: [] }, at(now)))).toBe(want);
  });
});

describe("judgeCalendar", () => {
  it("is open for ever without windows and freezes", () => {
    expect(judgeCalendar({ windows: [], freezes: [] }, at("2026-01-01T00:00Z"))).toEqual({ kind: "open" });
  });

  it("without allowing windows it allows all time that nothing denies", () => {
    const windows = [makeWindow({ kind: "deny" })];
    const freezes = [makeFreeze("2026-01-05T00:00Z", "2026-01-06T00:00Z")];
    expect(print(judgeCalendar({ windows, freezes: [] }, at("2026-01-01T18:00Z")))).toBe(
      "open until 2026-01-05T09:00Z",
    );
    expect(print(judgeCalendar({ windows: [], freezes }, at("2026-01-01T18:00Z")))).toBe(
      "open until 2026-01-05T00:00Z",
    );
    expect(judgeCalendar({ windows: [], freezes }, at("2026-01-06T00:00Z"))).toEqual({ kind: "open" });
  });

  it("looks a year ahead and no further", () => {
    const freezes = [makeFreeze("2027-06-01T00:00Z", "2027-06-02T00:00Z")];
    expect(print(judgeCalendar({ windows: [], freezes }, at("2026-01-01T00:00Z")))).toBe("open");
    expect(print(judgeCalendar({ windows: [], freezes }, at("2026-05-31T00:00Z")))).toBe(
      "open until 2027-06-01T00:00Z",
    );
  });

  it("names the window that it waits for, and has no end for a window that never opens", () => {
    const windows = [makeWindow({ kind: "deny", schedule: "0 * * * *", duration: hour, atEnd: "stop" })];
    expect(judgeCalendar({ windows, freezes: [] }, at("2026-01-01T00:00Z"))).toEqual({
      kind: "closed",
      cause: { kind: "insideDenied", window: windows[0] },
      atEnd: "stop",
    });
  });

  it("names the freeze and its reason, and opens at the next window after it", () => {
    const freezes = [makeFreeze("2026-11-24T00:00Z", "2026-11-26T12:00Z")];
    expect(judgeCalendar({ windows: [makeWindow()], freezes }, at("2026-11-24T12:00Z"))).toEqual({
      kind: "closed",
      cause: { kind: "freeze", freeze: freezes[0] },
      until: at("2026-11-26T12:00Z"),
      atEnd: "finishBatch",
    });
    expect(print(judgeCalendar({ windows: [makeWindow()], freezes }, at("2026-11-23T12:00Z")))).toBe(
      "open until 2026-11-23T17:00Z",
    );
    const long = [makeFreeze("2026-11-24T00:00Z", "2026-11-27T12:00Z")];
    expect(print(judgeCalendar({ windows: [makeWindow()], freezes: long }, at("2026-11-24T12:00Z")))).toBe(
      "closed until 2026-11-30T09:00Z",
    );
  });

  it("applies the strictest of several reasons to be closed", () => {
    const windows = [makeWindow({ kind: "deny", schedule: "0 0 * * *", duration: 2 * hour, atEnd: "stop" })];
    const freezes = [makeFreeze("2026-01-01T00:00Z", "2026-01-02T00:00Z")];
    const now = at("2026-01-01T01:00Z");
    expect(judgeCalendar({ windows, freezes }, now)).toMatchObject({ cause: { kind: "freeze" }, atEnd: "stop" });
    expect(judgeCalendar({ windows: [], freezes }, now)).toMatchObject({
      cause: { kind: "freeze" },
      atEnd: "finishBatch",
    });
  });

  it("names the end of the window that closed last", () => {
    const windows = [
      makeWindow({ schedule: "0 8 * * *", duration: hour, atEnd: "stop" }),
      makeWindow({ schedule: "0 10 * * *", duration: hour, atEnd: "finishStage" }),
    ];
    expect(judgeCalendar({ windows, freezes: [] }, at("2026-01-01T12:00Z"))).toMatchObject({ atEnd: "finishStage" });
    expect(judgeCalendar({ windows, freezes: [] }, at("2026-01-01T09:30Z"))).toMatchObject({ atEnd: "stop" });
  });

  it("joins windows that touch", () => {
    const windows = [
      makeWindow({ schedule: "0 9 * * *", duration: 3 * hour }),
      makeWindow({ schedule: "0 12 * * *", duration: 3 * hour }),
    ];
    expect(print(judgeCalendar({ windows, freezes: [] }, at("2026-01-01T10:00Z")))).toBe(
      "open until 2026-01-01T15:00Z",
    );
  });
});

const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"];
const anyWindow = fc.record({
  kind: fc.constantFrom("allow" as const, "deny" as const),
  schedule: fc.constantFrom("0 9 * * 1-4", "30 22 * * *", "0 0 1 * *", "15 */6 * * *", "0 2 * * 0"),
  duration: fc.integer({ min: 1, max: 72 }).map((hours) => hours * hour),
  timeZone: fc.constantFrom(...zones),
  atEnd: fc.constantFrom("finishBatch" as const, "finishStage" as const, "stop" as const),
});
const start = at("2026-01-01T00:00Z");
const anyMoment = fc.integer({ min: 0, max: 400 * 24 * 60 }).map((minutes) => start + minutes * 60_000);
const anyFreeze = fc
  .tuple(anyMoment, fc.integer({ min: 1, max: 20 * 24 }))
  .map(([from, hours]): Freeze => ({ from, to: from + hours * hour, reason: "peak" }));
const anyRules = fc.record({
  windows: fc.array(anyWindow, { maxLength: 3 }),
  freezes: fc.array(anyFreeze, { maxLength: 2 }),
});

describe("judgeCalendar, for all rules", () => {
  it("open and closed alternate: the state lasts up to `until`, and is the other one from then on", () => {
    fc.assert(
      fc.property(anyRules, anyMoment, fc.double({ min: 0, max: 1, noNaN: true }), (rules, now, part) => {
        const { kind, until } = judgeCalendar(rules, now);
        const between = judgeCalendar(rules, now + Math.floor(((until ?? now + 300 * day) - 1 - now) * part));
        expect([between.kind, between.until]).toEqual([kind, until ?? between.until]);
        if (until === undefined) return;
        expect(until).toBeGreaterThan(now);
        expect(judgeCalendar(rules, until).kind).not.toBe(kind);
      }),
      { numRuns: 60 },
    );
  });

  it("a freeze overrides all windows", () => {
    fc.assert(
      fc.property(anyRules, anyFreeze, (rules, freeze) => {
        const frozen = judgeCalendar({ ...rules, freezes: [...rules.freezes, freeze] }, freeze.to - 1);
        expect(frozen).toMatchObject({ kind: "closed", cause: { kind: "freeze" } });
        expect(frozen.until ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(freeze.to);
      }),
      { numRuns: 40 },
    );
  });

  it("a denying window overrides any number of allowing ones", () => {
    fc.assert(
      fc.property(anyRules, anyWindow, anyMoment, (rules, window, now) => {
        const denying = judgeCalendar({ windows: [{ ...window, kind: "deny" }], freezes: [] }, now);
        const all = judgeCalendar({ ...rules, windows: [...rules.windows, { ...window, kind: "deny" }] }, now);
        expect(all.kind === "closed" || denying.kind === "open").toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
