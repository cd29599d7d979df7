import { beforeAll, expect, it } from "vitest";

import { noon } from "../world/build.ts";
import { instantRun, makeInstant, pulls, stopOf } from "../world/campaigns/campaign-instant.ts";
import { findViolations } from "./bed/find-violations.ts";
import { makeHistory } from "./bed/make-history.ts";
import { makeEndedReport, makeOpenReport, rollbackRun } from "./bed/run-reports.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

const ended = "0123456789ab";

beforeAll(async () => {
  await bed().planner.publish(makeInstant({ snapshot: { now: noon - 60_000 } }));
  await bed().planner.keepPicture();
  await bed().planner.publish(makeInstant());
  await bed().planner.keepPicture();
  await bed().planner.publishHistory(makeHistory(120));
  await bed().planner.publishRun(makeOpenReport());
  await bed().planner.publishRun(makeEndedReport({ id: ended }, [rollbackRun]));
});

const views = [
  { path: "/", shows: "Namespaces" },
  { path: "/?by=cluster&cluster=prod-use1-a", shows: "Namespaces" },
  { path: "/namespaces/team-001", shows: "Stages of its bucket" },
  { path: "/namespaces/team-043", shows: "What happened to its workloads" },
  { path: `/runs/${instantRun}`, shows: "Gates of the run" },
  { path: `/runs/${ended}`, shows: "Gates of the run" },
  { path: "/history", shows: "Decisions" },
  { path: `/?at=${new Date(noon).toISOString()}`, shows: "Namespaces" },
  { path: "/?at=2020-01-01T00:00:00Z", shows: "An earlier time" },
];
const ways = [
  { name: "light", options: { colorScheme: "light" as const } },
  { name: "dark", options: { colorScheme: "dark" as const } },
  { name: "360 px wide", options: { viewport: { width: 360, height: 740 } } },
  { name: "forced colours", options: { forcedColors: "active" as const } },
  { name: "200 % zoom", options: { viewport: { width: 640, height: 480 }, deviceScaleFactor: 2 } },
];
const cases = views.flatMap((view) => ways.map((way) => ({ ...view, ...way })));

it.each(cases)("axe finds nothing wrong with $path, $name", async ({ path, shows, options }) => {
  const page = await bed().open(path, options);
  await page.getByRole("region", { name: shows }).waitFor();
  await expect(findViolations(page)).resolves.toEqual([]);
});

const narrow = views.flatMap((view) => ways.flatMap((way) => ("viewport" in way.options ? [{ ...view, ...way }] : [])));

it.each(narrow)("$path needs no horizontal scrolling, $name", async ({ path, shows, options }) => {
  const page = await bed().open(path, options);
  await page.getByRole("region", { name: shows }).waitFor();
  const width = await page.evaluate("document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
});

it.each(ways)("axe finds nothing wrong with a held campaign and an open table, $name", async ({ options }) => {
  const page = await bed().open("/", options);
  const stops = stopOf({ id: "one", scope: "campaign/istio-1-25", who: "ana", why: "checking the error rate" });
  await bed().planner.publish(makeInstant({ stops, snapshot: pulls() }));
  await page.getByRole("list", { name: "Holds and pauses of istio-1-25" }).waitFor();
  await page.getByText("The picture as a table").click();
  await expect(findViolations(page)).resolves.toEqual([]);
  await bed().planner.publish(makeInstant());
});
