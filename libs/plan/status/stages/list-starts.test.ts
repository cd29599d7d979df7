import { type Campaign, builtInSettings, type Settings, type Window } from "#libs/campaign";
import { expect, it } from "vitest";

import type { BakeStatus } from "../campaign-status.ts";
import { listStarts } from "./list-starts.ts";

const hour = 3_600_000;
const now = Date.parse("2026-11-19T11:43:20Z");
const evenings: Window = {
  kind: "allow",
  schedule: "0 18 * * *",
  duration: 2 * hour,
  timeZone: "UTC",
  atEnd: "finishBatch",
};
const bake: BakeStatus = { healthySeconds: 600, neededSeconds: 4200 };

interface Case {
  readonly name: string;
  /** Of `prod-50` and `prod-100`. */
  readonly stages?: readonly Partial<Settings>[];
  readonly settings?: Partial<Settings>;
  readonly bake?: BakeStatus;
  readonly isThrough?: true;
  readonly want: Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  { name: "without a bake and windows they may start at once", stages: [{ bake: 0 }, { bake: 0 }], want: {} },
  {
    name: "the next one may start at once, and the one after it when its bake is over, to 5 minutes",
    stages: [{ bake: 2 * hour }, {}],
    want: { "prod-100": "2026-11-19T13:40:00.000Z" },
  },
  {
    name: "what is left of the open run's bake comes first",
    stages: [{ bake: 2 * hour }, {}],
    bake,
    want: { "prod-50": "2026-11-19T12:40:00.000Z", "prod-100": "2026-11-19T14:40:00.000Z" },
  },
  {
    name: "a stage waits for its window, and those after it too",
    stages: [{ bake: hour, windows: [evenings] }, { bake: 0 }],
    want: { "prod-50": "2026-11-19T18:00:00.000Z", "prod-100": "2026-11-19T19:00:00.000Z" },
  },
  {
    name: "a freeze of meshroll.yml holds all of them",
    stages: [{ bake: 0 }, { bake: 0 }],
    settings: { freezes: [{ from: now - hour, to: now + 24 * hour, reason: "peak" }] },
    want: { "prod-50": "2026-11-20T11:40:00.000Z", "prod-100": "2026-11-20T11:40:00.000Z" },
  },
  {
    name: "a freeze without an end within a year lets none start, so no time is named",
    settings: { freezes: [{ from: now - hour, to: now + 10_000 * hour, reason: "closed" }] },
    want: {},
  },
  { name: "when all stages are reached there is none", isThrough: true, want: {} },
];

it.each(cases)("$name", ({ stages = [{}, {}], settings = {}, bake: left, isThrough, want }) => {
  const all = ["prod-50", "prod-100"].map((name, at) => ({
    name,
    set: { production: 50 * (at + 1) },
    settings: { ...builtInSettings, bake: 0, ...stages[at] },
  })) as unknown as Campaign["stages"];
  const question = { campaign: { stages: all }, settings: { ...builtInSettings, ...settings }, now };
  const starts = listStarts({ ...question, next: isThrough === true ? undefined : all[0], bake: left });
  expect(Object.fromEntries(starts)).toEqual(want);
});
