import { beforeAll, expect, it } from "vitest";

import { makeStop } from "../world/build.ts";
import { instantRun, makeInstant } from "../world/campaigns/campaign-instant.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

beforeAll(async () => bed().planner.publish(makeInstant()));

it("a run is linked from its campaign, and shows the progress in each cluster, waits and skipped workloads", async () => {
  const page = await bed().open("/");
  await page.getByRole("link", { name: `run ${instantRun}` }).click();
  await page.getByRole("heading", { level: 1, name: `Run ${instantRun}` }).waitFor();
  const clusters = page.getByRole("region", { name: "Clusters of the run" });
  await expect.poll(() => clusters.locator("tbody tr").count()).toBe(6);
  const skipped = page.getByRole("region", { name: "Skipped workloads" });
  expect(await skipped.textContent()).toContain("ReadinessTimeout");
  // As in the fleet's list, the link's text is the namespace that it leads to.
  const link = skipped.getByRole("rowheader").first().getByRole("link");
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

it("the page of a run that is not open names the history command", async () => {
  const page = await bed().open("/runs/0123456789ab");
  await expect.poll(() => page.locator("main").textContent()).toContain("meshroll history run/0123456789ab");
});
