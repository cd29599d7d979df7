import { readFileSync } from "node:fs";

import { beforeAll, describe, expect, it } from "vitest";

import { makeStop } from "../world/build.ts";
import { instantRun, makeInstant } from "../world/campaigns/campaign-instant.ts";
import { endedRecord, makeEndedReport, makeOpenReport, rollbackRun } from "./bed/run-reports.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

beforeAll(async () => bed().planner.publish(makeInstant()));

it("a run is linked from its campaign, and shows the progress in each cluster, waits and skipped workloads", async () => {
  const page = await bed().open("/");
  await page
    .getByRole("link", { name: `run ${instantRun}` })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: `Run ${instantRun}` }).waitFor();
  const clusters = page.getByRole("region", { name: "Clusters of the run" });
  await expect.poll(() => clusters.locator("tbody tr").count()).toBe(6);
  const skipped = page.getByRole("region", { name: "Skipped workloads" });
  expect(await skipped.textContent()).toContain("ReadinessTimeout");
  // As in the fleet's list, the link's text is the namespace that it leads to.
  const link = skipped.locator("tbody tr:not(.group) th").first().getByRole("link");
  expect(await link.getAttribute("href")).toBe(`/namespaces/${await link.textContent()}`);
  expect(await page.getByRole("region", { name: "Waits" }).textContent()).toContain("prod-apne1-a");
});

it("a run that is rolled back offers no second rollback", async () => {
  const scope = `run/${instantRun}` as const;
  const revertTo = makeInstant().ledger?.runs[instantRun]?.before ?? "";
  const page = await bed().open(`/runs/${instantRun}`);
  const commands = page.locator("#commands");
  await expect.poll(() => commands.textContent()).toContain(`meshroll rollback ${scope}`);
  const stop = makeStop({ id: "r", scope, cause: "rollback", now: true, revertTo });
  await bed().planner.publish(makeInstant({ stops: { r: stop } }));
  await expect.poll(() => commands.textContent()).not.toContain("meshroll rollback");
  expect(await page.locator("main").textContent()).not.toContain("meshroll rollback");
});

describe("before a planner published runs", () => {
  it("the page of a run that is not open names the commands that have it", async () => {
    const page = await bed().open("/runs/0123456789ab");
    await expect.poll(() => page.locator("main").textContent()).toContain("has published no ended ones");
    expect(await page.locator("main").textContent()).toContain("meshroll describe run/0123456789ab");
    expect(await page.locator("main").textContent()).toContain("meshroll history run/0123456789ab");
  });

  it("an open run shows what the status has of it", async () => {
    await bed().planner.publish(makeInstant());
    const page = await bed().open(`/runs/${instantRun}`);
    await expect.poll(() => page.locator("#progress").textContent()).toContain("Its course over time is not known yet");
    expect(await page.locator("#deed").textContent()).toContain("moved");
    expect(await page.locator("#batches").count()).toBe(0);
  });
});

/** Runs in the page: how many colours a chart's canvas has. */
const countColours = (name: string) => `(() => {
  const canvas = document.querySelector('[role="img"][aria-label^="${name}"] canvas');
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
})()`;

describe("an open run with a report", () => {
  beforeAll(async () => {
    await bed().planner.publish(makeInstant());
    await bed().planner.publishRun(makeOpenReport());
  });

  it("shows its course as a chart, and the same as a table", async () => {
    const page = await bed().open(`/runs/${instantRun}`);
    const progress = page.locator("#progress");
    await page.getByRole("img", { name: /^Workloads over time: 12 of 29 workloads migrated/ }).waitFor();
    expect(await page.evaluate(countColours("Workloads over time"))).toBeGreaterThan(3);
    expect(await progress.getByRole("row").count()).toBe(0);
    await progress.locator("summary").click();
    const points = makeOpenReport().series.progress.points.length;
    await expect.poll(() => progress.getByRole("row").count()).toBe(points + 1);
  });

  it("shows its batches in each cluster on the same axis, and as a table by keyboard", async () => {
    const page = await bed().open(`/runs/${instantRun}`);
    const batches = page.locator("#batches");
    const bars = makeOpenReport().series.batches.length;
    await page.getByRole("img", { name: `Batches over time: ${bars - 1} over and 1 in hand, in 5 clusters` }).waitFor();
    expect(await batches.locator(".batch").count()).toBe(bars);
    await batches.locator("summary").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => batches.getByRole("row").count()).toBe(bars + 1);
    expect(await batches.getByRole("row").nth(1).textContent()).toContain("in hand");
  });

  it("shows its gates with value, limit and reason, and what they measured", async () => {
    const page = await bed().open(`/runs/${instantRun}`);
    const table = page.getByRole("region", { name: "Gates of the run" });
    await expect.poll(() => table.textContent()).toContain("not measured yet");
    expect(await table.getByRole("row", { name: /^proxies/ }).textContent()).toContain("0.999");
    await page.getByRole("img", { name: "restarts: latest 1.192, highest 1.197, limit 1.5" }).waitFor();
    expect(await page.evaluate(countColours("restarts"))).toBeGreaterThan(3);
  });

  it("shows what was listed, and what was moved of it", async () => {
    const page = await bed().open(`/runs/${instantRun}`);
    await expect.poll(() => page.locator("#deed").textContent()).toContain("28 workloads in its pull request");
    expect(await page.locator("#deed").textContent()).toContain("1 skipped, 1 of them failed, 16 left");
    expect(await page.locator("#commands").textContent()).toContain(`meshroll retry run/${instantRun}`);
  });

  it("is charted in the colours of the reader's scheme, also when that changes", async () => {
    const page = await bed().open(`/runs/${instantRun}`, { colorScheme: "light" });
    await page.getByRole("img", { name: /^Workloads over time/ }).waitFor();
    const readColour = async () =>
      page.evaluate(`(() => {
        const canvas = document.querySelector('[role="img"][aria-label^="Workloads over time"] canvas');
        return [...canvas.getContext("2d").getImageData(canvas.width - 30, canvas.height - 40, 1, 1).data].join();
      })()`);
    await expect.poll(readColour).toBe("31,95,191,255");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(readColour).toBe("125,177,245,255");
  });

  it("is saved as a file whose charts are pictures with a sentence, and whose tables have all rows", async () => {
    const page = await bed().open(`/runs/${instantRun}`);
    await page.getByRole("img", { name: /^Workloads over time/ }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save this view as a report" }).click(),
    ]);
    const html = readFileSync(await saved.path(), "utf8");
    expect(html).not.toMatch(/<script|<link|<canvas/);
    expect(html).toMatch(/<img[^>]*alt="Workloads over time: 12 of 29 workloads migrated/);
    expect(html).toMatch(/<img[^>]*alt="restarts: latest 1.192/);
    expect(html).toContain('aria-label="Values of restarts"');
  });

  it("follows its report while it is shown", async () => {
    await bed().planner.publishRun(makeOpenReport(40));
    const page = await bed().open(`/runs/${instantRun}`);
    const lanes = page.locator(".lane");
    await expect.poll(() => lanes.count()).toBe(2);
    await bed().planner.publishRun(makeOpenReport());
    await expect.poll(() => lanes.count(), { timeout: 10_000 }).toBe(5);
  });

  it("becomes an ended one while it is shown", async () => {
    const page = await bed().open(`/runs/${instantRun}`);
    const head = page.locator("main dl").first();
    await expect.poll(() => head.textContent()).toContain("in progress");
    await bed().planner.publish(makeInstant({ run: endedRecord }));
    await bed().planner.publishRun(makeEndedReport());
    await expect.poll(() => head.textContent(), { timeout: 10_000 }).toContain("ended, 1 workload failed");
    expect(await page.locator("#commands").textContent()).not.toContain("meshroll pause");
  });
});

describe("a run that ended", () => {
  const ended = "0123456789ab";
  beforeAll(async () => {
    await bed().planner.publish(makeInstant({ run: endedRecord }));
    await bed().planner.publishRun(makeEndedReport({ id: ended }));
  });

  it("shows what became of it, its course, and what differs from its list", async () => {
    const page = await bed().open(`/runs/${ended}`);
    await page.getByRole("img", { name: /^Workloads over time: 26 of 29 workloads migrated, 1 idle/ }).waitFor();
    expect(await page.locator("main dl").first().textContent()).toContain("after 2 h 38 min");
    const deed = page.locator("#deed");
    await deed.getByText("not in the list: it came later: 1 workload").click();
    await deed.getByRole("link", { name: "team-077" }).waitFor();
    const skipped = page.getByRole("region", { name: "Skipped workloads" });
    expect(await skipped.textContent()).toContain("not ready within 10 minutes");
    expect(await skipped.getByRole("link", { name: "team-001" }).getAttribute("href")).toBe("/namespaces/team-001");
    expect(await page.locator("#commands").textContent()).toContain(`meshroll history run/${ended}`);
  });

  it("links to the run that rolled it back", async () => {
    await bed().planner.publishRun(makeEndedReport({}, [rollbackRun]));
    const page = await bed().open(`/runs/${instantRun}`);
    const head = page.locator("main dl").first();
    await expect.poll(() => head.textContent()).toContain("rolled back");
    const link = head.getByRole("link", { name: `run ${rollbackRun.id}` });
    expect(await link.getAttribute("href")).toBe(`/runs/${rollbackRun.id}`);
    expect(await page.locator("main").textContent()).not.toContain("meshroll rollback");
  });

  it("without a recorded course says so", async () => {
    const report = makeEndedReport({ id: "00000000000c" });
    const series = { progress: { every: 0, points: [] }, gates: [], batches: [] };
    await bed().planner.publishRun({ ...report, series });
    const page = await bed().open("/runs/00000000000c");
    await expect.poll(() => page.locator("#progress").textContent()).toContain("no planner recorded it");
    expect(await page.locator("canvas").count()).toBe(0);
  });

  it("that is in the archive names the command that has its details", async () => {
    await bed().planner.publishRun(makeEndedReport({ id: "00000000000d", archived: "facts" }));
    const page = await bed().open("/runs/00000000000d");
    await expect.poll(() => page.locator("#deed").textContent()).toContain("meshroll describe run/00000000000d");
  });

  it("is not found where it is none of the newest, and the ledger's commands are named", async () => {
    const page = await bed().open("/runs/ffffffffffff");
    await expect.poll(() => page.locator("main").textContent()).toContain("none of the newest");
    expect(await page.locator("main").textContent()).toContain("meshroll history run/ffffffffffff");
  });
});
