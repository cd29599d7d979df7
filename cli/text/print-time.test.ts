import { describe, expect, it } from "vitest";

import { printTime } from "./print-time.ts";

/** The hours around each clock change in 2026; Kolkata has none. */
const changes = [
  { tz: "Europe/Berlin", around: "2026-03-29T01:00:00Z" },
  { tz: "Europe/Berlin", around: "2026-10-25T01:00:00Z" },
  { tz: "America/New_York", around: "2026-03-08T07:00:00Z" },
  { tz: "America/New_York", around: "2026-11-01T06:00:00Z" },
  { tz: "Asia/Kolkata", around: "2026-03-29T01:00:00Z" },
];

/** Printed names of time zones, and their hours ahead of UTC. */
const ahead = new Map([
  ["CET", "+01:00"],
  ["CEST", "+02:00"],
  ["GMT+5:30", "+05:30"],
]);

/** The instant that a reader takes the text for. */
function readInstant(text: string): number {
  const [, day, time, zone = ""] = /^(\S+) (\S+) (\S+)$/u.exec(text) ?? [];
  const offset = ahead.get(zone) ?? zone.replace(/^GMT-(\d)$/u, "-0$1:00");
  return Date.parse(`${day}T${time}${offset}`);
}

describe("a time for people", () => {
  it.each(changes)(
    "in $tz is the same instant as in UTC, in each quarter of an hour around $around",
    ({ tz, around }) => {
      const middle = Date.parse(around);
      const instants = Array.from({ length: 25 }, (_, index) => middle + (index - 12) * 15 * 60_000);
      const texts = instants.map((instant) => printTime(instant, { tz }));
      expect(texts.map(readInstant)).toEqual(instants);
      expect(new Set(texts).size).toBe(instants.length);
    },
  );

  it("shows an hour that occurs twice with its zone's name", () => {
    const [first, second] = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"].map((at) =>
      printTime(Date.parse(at), { tz: "Europe/Berlin" }),
    );
    expect([first, second]).toEqual(["2026-10-25 02:30:00 CEST", "2026-10-25 02:30:00 CET"]);
  });
});
