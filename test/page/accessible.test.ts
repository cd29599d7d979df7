import axe from "axe-core";
import { beforeAll, expect, it } from "vitest";

import { instantRun, makeInstant } from "../world/campaigns/campaign-instant.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

beforeAll(async () => bed().planner.publish(makeInstant()));

const views = [
  { path: "/", shows: "Namespaces" },
  { path: "/namespaces/team-001", shows: "Stages of its bucket" },
  { path: "/namespaces/team-043", shows: "What happened to its workloads" },
  { path: `/runs/${instantRun}`, shows: "Clusters of the run" },
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
  // Evaluated by the debugger, so the page's content security policy needs no exception.
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: here } = globalThis as unknown as { axe: { run(): Promise<{ violations: readonly Violation[] }> } };
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }
    const found = await here.run();
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.failureSummary ?? node.html).join(" | ")}`,
    );
  });
  expect(violations).toEqual([]);
});

const narrow = views.flatMap((view) => ways.flatMap((way) => ("viewport" in way.options ? [{ ...view, ...way }] : [])));

it.each(narrow)("$path needs no horizontal scrolling, $name", async ({ path, shows, options }) => {
  const page = await bed().open(path, options);
  await page.getByRole("region", { name: shows }).waitFor();
  const width = await page.evaluate("document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
});
