import { describe, expect, it } from "vitest";

import { parseSettings } from "../settings-file/parse-settings.ts";

const freeze = (from: number, to: number) => `{from: ${from}-06-01T00:00:00Z, to: ${to}-06-02T00:00:00Z, reason: x}`;
const window = (schedule: string, kind = "allow") =>
  `{schedule: "${schedule}", duration: 1h, timeZone: UTC, kind: ${kind}}`;

const cases = [
  { name: "all hours denied", windows: [window("0 * * * *", "deny")], freezes: [], want: ["MR2005"] },
  // Most years have no 29 February, but one comes within a year of that freeze.
  {
    name: "an hour in four years",
    windows: [window("0 9 29 2 *")],
    freezes: [freeze(2027, 2027)],
    want: ["MR2005"],
  },
  { name: "a day", windows: [], freezes: [freeze(2027, 2027)], want: [] },
  { name: "two years", windows: [], freezes: [freeze(2027, 2029)], want: ["MR2005"] },
  { name: "two years after a day", windows: [], freezes: [freeze(2026, 2026), freeze(2027, 2029)], want: ["MR2005"] },
  { name: "two years before a day", windows: [], freezes: [freeze(2027, 2029), freeze(2032, 2032)], want: ["MR2005"] },
];

describe("MR2005 a calendar that leaves no time open for a year", () => {
  it.each(cases)("$name", ({ windows, freezes, want }) => {
    const text = `defaults:\n  windows: [${windows.join(", ")}]\n  freezes: [${freezes.join(", ")}]\n`;
    const { findings } = parseSettings(text, "meshroll.yml");
    expect(findings.map(({ code, line }) => [code, line])).toEqual(
      want.map((code) => [code, freezes.length > 0 ? 3 : 2]),
    );
  });
});
