import { expect, it } from "vitest";

import { findNeighbours, type Neighbours } from "./picture-times.ts";

const [one, two, three] = ["2026-11-19T12:00:00.000Z", "2026-11-19T12:01:00.000Z", "2026-11-19T13:00:00.000Z"] as const;
const times = [one, two, three];

const cases: readonly { name: string; times: readonly string[]; at: string; want: Neighbours }[] = [
  { name: "one in the middle has both", times, at: two, want: { place: 1, earlier: one, later: three } },
  { name: "the first one has only a later one", times, at: one, want: { place: 0, earlier: undefined, later: two } },
  {
    name: "the newest one has only an earlier one",
    times,
    at: three,
    want: { place: 2, earlier: two, later: undefined },
  },
  {
    name: "a status is of the picture whose second it is in",
    times,
    at: "2026-11-19T12:01:00.400Z",
    want: { place: 1, earlier: one, later: three },
  },
  {
    name: "a time before all has only a later one",
    times,
    at: "2026-11-19T11:00:00.000Z",
    want: { place: -1, earlier: undefined, later: one },
  },
  {
    name: "without pictures there is neither",
    times: [],
    at: one,
    want: { place: -1, earlier: undefined, later: undefined },
  },
];

it.each(cases)("of the pictures, $name", ({ times: given, at, want }) =>
  expect(findNeighbours(given, at)).toEqual(want),
);
