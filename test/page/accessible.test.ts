import { beforeAll, expect, it } from "vitest";

import { instantRun, makeInstant, pulls, stopOf } from "../world/campaigns/campaign-instant.ts";
import { findViolations } from "./bed/find-violations.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

beforeAll(async () => bed().planner.publish(makeInstant()));

const views = [
  { path: "/", shows: "Namespaces" },
  { path: "/?by=cluster&cluster=prod-use1-a", shows: "Namespaces" },
  { path: "/namespaces/team-001", shows: "" },
  { path: `/runs/${instantRun}`, shows: "Clusters of the run" },
];
const ways = [
  { name: "light", options: { colorScheme: "light" as const } },
  { name: "dark", options: { colorScheme: "dark" as const } },
  { name: "360 px wide", options: { viewport: { width: 360, height: 740 } } },
  { name: "forced colours", options: { forcedColors: "active" as const } },
];
const cases = views.flatMap((view) => ways.map((way) => ({ ...view, ...way })));

it.each(cases)("axe finds nothing wrong with $path, $name", async ({ path, shows, options }) => {
  const page = await bed().open(path, options);
  await (
    shows === "" ? page.getByRole("heading", { name: "When it moves" }) : page.getByRole("region", { name: shows })
  ).waitFor();
  await expect(findViolations(page)).resolves.toEqual([]);
});

it.each(views)("$path needs no horizontal scrolling at 360 px", async ({ path, shows }) => {
  const page = await bed().open(path, { viewport: { width: 360, height: 740 } });
  await (
    shows === "" ? page.getByRole("heading", { name: "When it moves" }) : page.getByRole("region", { name: shows })
  ).waitFor();
  const width = await page.evaluate("document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(360);
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
