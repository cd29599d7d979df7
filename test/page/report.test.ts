import { readFileSync } from "node:fs";

import { beforeAll, expect, it } from "vitest";

import { makeInstant } from "../world/campaigns/campaign-instant.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

beforeAll(async () => bed().planner.publish(makeInstant()));

it("a view is saved as one file with every row, without requests and scripts", async () => {
  const page = await bed().open("/?state=OnTrack");
  await page.getByRole("group", { name: /^production: / }).waitFor();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save this view as a report" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("meshroll-20261119T114300000Z.html");
  const html = readFileSync(await saved.path(), "utf8");
  expect(html).not.toMatch(/<script|<link|<canvas|javascript:/);
  const context = await bed().browser.newContext({ javaScriptEnabled: false, offline: true });
  const report = await context.newPage();
  const asked: string[] = [];
  report.on("request", (request) => asked.push(request.url()));
  await report.setContent(html);
  expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([]);
  await report.getByText("the fleet as of 2026-11-19T11:43:00.000Z").waitFor();
  expect(await report.getByRole("region", { name: "Namespaces" }).locator("tbody th").count()).toBe(103);
  expect(await report.locator("img").getAttribute("alt")).toContain("production: 120 namespaces");
  await context.close();
  // The open page itself is unchanged.
  await expect
    .poll(() => page.getByRole("region", { name: "Namespaces" }).locator("tbody th").count())
    .toBeLessThan(103);
});

it("a printed page has every row", async () => {
  const page = await bed().open("/");
  await page.getByRole("region", { name: "Namespaces" }).waitFor();
  await page.pdf();
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await expect.poll(() => page.getByRole("region", { name: "Namespaces" }).locator("tbody th").count()).toBe(120);
});
