import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  boundPictures,
  choosePictures,
  isPictureDue,
  mostPictures,
  mostRemoved,
  type Shown,
  type Taken,
} from "./choose-pictures.ts";

const shown: Shown = { time: 0, status: "a", table: "1", sequence: 7 };
const taken: Taken = { ...shown, at: 0, costMs: 10 };

describe("a picture of the fleet is due", () => {
  const cases: readonly { name: string; shown: Partial<Shown>; last?: Taken; now: number; want: boolean }[] = [
    { name: "never while nothing changed", shown: {}, last: taken, now: 1e9, want: false },
    {
      name: "not because the ledger moved and nothing else",
      shown: { sequence: 8 },
      last: taken,
      now: 1e9,
      want: false,
    },
    {
      name: "when the ledger moved and the status says so",
      shown: { status: "b", sequence: 8 },
      last: taken,
      now: 1000,
      want: true,
    },
    { name: "at most once a second", shown: { status: "b", sequence: 8 }, last: taken, now: 999, want: false },
    {
      name: "for at most a twentieth of the time",
      shown: { status: "b", sequence: 8 },
      last: { ...taken, costMs: 200 },
      now: 3999,
      want: false,
    },
    {
      name: "a minute after the last where only the status changed",
      shown: { status: "b" },
      last: taken,
      now: 60_000,
      want: true,
    },
    {
      name: "a minute after by the fleet's clock, where that is faster",
      shown: { status: "b", time: 60_000 },
      last: taken,
      now: 1000,
      want: true,
    },
    {
      name: "at most once a second, by whatever clock",
      shown: { status: "b", time: 60_000 },
      last: taken,
      now: 999,
      want: false,
    },
    {
      name: "a minute after where the fleet's clock was set back",
      shown: { status: "b", time: -9 },
      last: taken,
      now: 60_000,
      want: true,
    },
    {
      name: "a minute after the last where only the table changed",
      shown: { table: "2" },
      last: taken,
      now: 60_000,
      want: true,
    },
    { name: "not earlier", shown: { status: "b", table: "2" }, last: taken, now: 59_999, want: false },
  ];
  it.each(cases)("$name", ({ shown: change, last, now, want }) =>
    expect(isPictureDue({ ...shown, ...change }, last, now)).toBe(want),
  );

  it("at once after a restart", () => expect(isPictureDue(shown, undefined, 0)).toBe(true));
});

const now = 1_795_000_500;
const hour = 3600;
const quarterStart = Math.floor((now - 48 * hour) / 900) * 900;

describe("pictures that stay", () => {
  const cases: readonly { name: string; times: readonly number[]; most?: number; want: readonly number[] }[] = [
    {
      name: "all of the last 24 h",
      times: [now - 86_399, now - 10, now - 9],
      want: [now - 86_399, now - 10, now - 9, now],
    },
    {
      name: "the first of each quarter of an hour before that",
      times: [quarterStart, quarterStart + 1, quarterStart + 899, quarterStart + 900],
      want: [quarterStart, quarterStart + 900, now],
    },
    { name: "none of 30 days ago", times: [now - 30 * 24 * hour - 1], want: [now] },
    { name: "none of a clock that was set back", times: [now - 5, now + 601], want: [now - 5, now] },
    { name: "those of a clock that is a little ahead", times: [now - 5, now + 600], want: [now - 5, now, now + 600] },
    {
      name: "fewer where they are too many: the closest to its neighbour goes",
      times: [now - 90, now - 50, now - 49],
      most: 3,
      want: [now - 90, now - 50, now],
    },
    {
      name: "the older ones become coarser first",
      times: [now - 4, now - 3, now - 2, now - 1],
      most: 4,
      want: [now - 4, now - 2, now - 1, now],
    },
    { name: "only the newest where no other fits", times: [now - 90, now - 50], most: 1, want: [now] },
  ];
  it.each(cases)("$name", ({ times, most = 100, want }) => expect(choosePictures(times, now, most)).toEqual(want));

  it("are never more than the bound, the newest among them, and stay at the next choice", () => {
    const second = fc.integer({ min: now - 40 * 24 * hour, max: now + 100 });
    fc.assert(
      fc.property(fc.array(second, { maxLength: 200 }), fc.integer({ min: 1, max: 60 }), (times, most) => {
        const kept = choosePictures(times, now, most);
        const before = new Set([...times, now]).size;
        expect(kept.length).toBeLessThanOrEqual(Math.max(most, before - mostRemoved));
        expect(kept.length).toBeGreaterThanOrEqual(before - mostRemoved);
        expect(kept).toContain(now);
        expect(kept.every((time) => time === now || times.includes(time))).toBe(true);
        const isSettled = before - kept.length < mostRemoved;
        expect(isSettled ? choosePictures(kept, now, most) : kept).toEqual(kept);
      }),
    );
  });

  const bounds: readonly { bytes: number; want: number }[] = [
    { bytes: 1024 * 1024, want: 256 },
    { bytes: 300 * 1024 * 1024, want: 1 },
    { bytes: 100, want: mostPictures },
    { bytes: 0, want: mostPictures },
  ];
  it.each(bounds)("have 256 MB in all: $want of $bytes bytes", ({ bytes, want }) =>
    expect(boundPictures(bytes)).toBe(want),
  );
});
