import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { countDays, isZone, openInstants, toLocal } from "./local-time.ts";

const dayMs = 86_400_000;
const from = countDays(2026, 1, 1) * dayMs;

describe("local time", () => {
  it("counts days as the calendar does", () => {
    fc.assert(
      fc.property(fc.integer({ min: -200_000, max: 200_000 }), (days) => {
        const date = new Date(days * dayMs);
        expect(countDays(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())).toBe(days);
      }),
    );
  });

  it("finds the instant of a wall clock time; where there are two, the first or the last", () => {
    const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"];
    const instants = new Map(zones.map((zone) => [zone, openInstants(zone, from - 2 * dayMs, from + 400 * dayMs)]));
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 390 * dayMs }), (zone, offset) => {
        const instant = from + offset;
        const toInstant = instants.get(zone);
        const local = toLocal(zone, instant);
        const found = [toInstant?.(local, "first"), toInstant?.(local, "last")];
        expect(found).toContain(instant);
        expect(found.map((one) => toLocal(zone, one ?? 0))).toEqual([local, local]);
      }),
    );
  });

  const names: readonly { name: string; want: boolean }[] = [
    { name: "Europe/Berlin", want: true },
    { name: "UTC", want: true },
    { name: "Mars/Olympus", want: false },
    { name: "+01:00", want: false },
    { name: "", want: false },
    { name: `${"a/".repeat(40)}b`, want: false },
  ];
  it.each(names)("takes `$name` for a zone: $want", ({ name, want }) => {
    expect(isZone(name)).toBe(want);
  });
});
