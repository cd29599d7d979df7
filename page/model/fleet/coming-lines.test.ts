import type { CampaignStatus } from "#libs/plan";
import { writeText } from "#libs/wording";
import { expect, it } from "vitest";

import { listSequence, listTimes } from "./coming-lines.ts";

const freeze = { event: "FreezeBegins", at: "2026-11-26T08:00:00.000Z", text: writeText("freeze begins") } as const;
const closes = { event: "WindowCloses", at: "2026-11-19T17:00:00.000Z", text: writeText("the window closes") } as const;
const next: CampaignStatus["next"] = [
  { event: "BatchesEnd", at: "2026-11-19T15:00:00.000Z", isEstimate: true, text: writeText("16 left, in batches") },
  { event: "BakeEnds", text: writeText("then the bake") },
  freeze,
];
const wait = (code: string, until?: string) => ({
  scope: "run/one",
  code,
  message: writeText(`${code} waits`),
  owner: "meshroll",
  ...(until === undefined ? {} : { until }),
});

it("what follows each other is without the times of the calendar, and without a word for the order", () => {
  expect(listSequence({ next })).toEqual([
    { at: "2026-11-19T15:00:00.000Z", isEstimate: true, text: "16 left, in batches" },
    { isEstimate: false, text: "the bake" },
  ]);
});

const cases: readonly {
  readonly title: string;
  readonly calendar?: CampaignStatus["calendar"];
  readonly waiting?: CampaignStatus["waiting"];
  readonly want: readonly string[];
}[] = [
  { title: "a freeze of `next`", want: ["freeze begins"] },
  {
    title: "the closing window, which `next` does not name",
    calendar: { open: true, changes: closes },
    want: ["the window closes", "freeze begins"],
  },
  {
    title: "a freeze that both name, once",
    calendar: { open: true, changes: freeze },
    want: ["freeze begins"],
  },
  {
    title: "waits with a time, each once for all clusters, without those that are events",
    waiting: [
      wait("GatePending", "2026-11-19T13:00:00.000Z"),
      { ...wait("GatePending", "2026-11-19T13:00:00.000Z"), scope: "run/two" },
      wait("Baking", "2026-11-19T14:00:00.000Z"),
      wait("WaveClosed"),
    ],
    want: ["GatePending waits", "freeze begins"],
  },
];

it.each(cases)("known times: $title", ({ calendar, waiting = [], want }) => {
  const lines = listTimes({ next, waiting, ...(calendar === undefined ? {} : { calendar }) });
  expect(lines.map(({ text }) => text)).toEqual(want);
});
