import { beforeEach, expect, it } from "vitest";
import type { Page } from "playwright-core";

import { instantRun, makeInstant } from "../world/campaigns/campaign-instant.ts";
import { addLine, makeHistory } from "./bed/make-history.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();
const scope = `run/${instantRun}`;

beforeEach(async () => {
  await bed().planner.publish(makeInstant());
  await bed().planner.publishHistory(makeHistory(430));
});

const findRows = (page: Page) => page.getByRole("region", { name: "Decisions" }).locator("tbody tr");

it("the history lists decisions, newest first: when, who, what, about what, and the page as it was then", async () => {
  const page = await bed().open("/");
  await page.getByRole("link", { name: "History", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "History" }).waitFor();
  const rows = findRows(page);
  await expect.poll(() => rows.count()).toBe(100);
  const text = await rows.nth(1).textContent();
  for (const part of ["meshroll", "gate passed", "0.4 %: limit 2 %", scope]) expect(text).toContain(part);
  const links = rows.nth(1).getByRole("link");
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(targets).toEqual([
    `/runs/${instantRun}`,
    "/history?subject=campaign%2Fistio-1-25",
    "/?at=2026-11-19T11%3A41%3A00.000Z",
  ]);
});

it("a new decision appears without a reload, in the history and on the start page", async () => {
  const [page, home] = [await bed().open("/history"), await bed().open("/")];
  await expect.poll(() => findRows(page).count()).toBe(100);
  const recent = home.locator("#decisions li");
  await expect.poll(() => recent.count()).toBe(5);
  await bed().planner.publishHistory(addLine(makeHistory(430), "stop pause-1 on all: look at it (ana)"));
  const began = performance.now();
  await expect.poll(() => findRows(page).first().textContent()).toContain("look at it");
  process.stderr.write(`a decision was seen ${Math.round(performance.now() - began)} ms after it was written\n`);
  await expect.poll(() => recent.first().textContent()).toContain("look at it");
  await bed().planner.publishHistory(makeHistory(430));
});

it("filters are in the URL and in the command, and a link with them shows the same", async () => {
  const page = await bed().open("/history");
  await page.getByRole("searchbox", { name: "words" }).fill("GATE");
  await page.getByRole("searchbox", { name: "about" }).fill(instantRun);
  await page.getByRole("searchbox", { name: "about" }).press("Enter");
  const rows = findRows(page);
  await expect.poll(() => rows.count()).toBe(2);
  expect(new URL(page.url()).search).toBe(`?q=GATE&subject=${instantRun}`);
  const shown = await rows.allTextContents();
  expect(await page.locator(".command code").first().textContent()).toBe(
    `meshroll history ${scope} --grep GATE -n 100`,
  );
  const other = await bed().open(`/history?q=GATE&subject=${instantRun}`);
  await expect.poll(() => findRows(other).allTextContents()).toEqual(shown);
});

it("who and since when are filters, by the fleet's clock", async () => {
  const page = await bed().open("/history?actor=ana&since=24h");
  await expect.poll(() => findRows(page).count()).toBe(1);
  const later = await bed().open("/history?since=24h");
  await bed().planner.publish(makeInstant({ snapshot: { now: Date.UTC(2026, 10, 21) } }));
  await expect.poll(() => later.locator("main").textContent()).toContain("No decision matches.");
});

it("older decisions are shown on demand", async () => {
  const page = await bed().open("/history");
  await expect.poll(() => page.locator("main").textContent()).toContain("330 older decisions not shown");
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => findRows(page).count()).toBe(300);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => findRows(page).count()).toBe(430);
  expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
});

it("of a ledger with more decisions than the page has, the command for all of them is named", async () => {
  await bed().planner.publishHistory(makeHistory(5200));
  const page = await bed().open("/history?subject=campaign/istio-1-25");
  await expect.poll(() => page.locator("main").textContent()).toContain("The ledger has older decisions.");
  const command = "meshroll history campaign/istio-1-25 -n 20000";
  expect(await page.locator("main").textContent()).toContain(command);
});

it("a filter that cannot be read is refused in a sentence, and can be changed", async () => {
  const page = await bed().open("/history?subject=run%2Fnothing");
  await expect.poll(() => page.locator("main").textContent()).toContain("“About” takes a run's id");
  await page.getByRole("searchbox", { name: "about" }).fill("istio-1-25");
  await page.getByRole("searchbox", { name: "about" }).press("Enter");
  await expect.poll(() => findRows(page).count()).toBe(6);
});

it("without a history of a planner the page says so, and shows it once there is one", async () => {
  await bed().api.kill();
  bed().planner.stopPublishing();
  await bed().nats.kill();
  bed().nats.wipe();
  await bed().nats.start();
  await bed().api.start();
  const page = await bed().open("/history");
  await expect
    .poll(() => page.locator("main").textContent())
    .toContain("No planner has published the ledger's history");
  await expect
    .poll(async () =>
      bed()
        .planner.publishHistory(makeHistory(20))
        .then(
          () => true,
          () => false,
        ),
    )
    .toBe(true);
  await expect.poll(() => findRows(page).count()).toBe(20);
});
