import { writeText } from "#libs/wording";
import { beforeAll, expect, it } from "vitest";

import { noon } from "../world/build.ts";
import { makeInstant, over, pulls, stopOf } from "../world/campaigns/campaign-instant.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

beforeAll(async () => bed().planner.publish(makeInstant()));

it("the start page says which campaign runs, what it waits for, what failed and what each cluster runs", async () => {
  const page = await bed().open("/");
  await page.getByRole("heading", { name: "istio-1-25" }).waitFor();
  await expect.poll(() => page.getByRole("status").textContent()).toBe("live");
  const failures = page.getByRole("region", { name: "Failures" });
  await expect(failures.textContent()).resolves.toContain("ReadinessTimeout");
  const clusters = page.getByRole("region", { name: "Clusters" });
  await clusters.getByRole("columnheader", { name: "1-25-2" }).waitFor();
  for (const what of ["requested", "actual", "healthy"]) {
    await expect(clusters.getByRole("columnheader", { name: what, exact: true }).count()).resolves.toBe(2);
  }
  await expect(clusters.getByRole("row", { name: /prod-use1-a/ }).count()).resolves.toBe(1);
});

it("workloads that a finished run skipped are listed with their reason and a command", async () => {
  const skipped = ["team-006", "team-012"].map((namespace) => ({
    cluster: "stage-use1",
    workload: `${namespace}/Deployment/api`,
    code: "OwnerRollout",
    message: writeText("its owner is rolling it out, for too long"),
  }));
  const progress = (cluster: string) => (cluster === "stage-use1" ? "pending" : "migrated");
  const page = await bed().open("/");
  const run = { ...over, outcome: { migrated: 17, skipped, seen: [] } };
  await bed().planner.publish(makeInstant({ progress, run, snapshot: { now: noon + 86_400_000 } }));
  const skippedOnes = page.getByRole("region", { name: "Skipped workloads" });
  await expect.poll(() => skippedOnes.locator("tbody tr:not(.group)").count()).toBe(2);
  const text = await skippedOnes.textContent();
  for (const part of ["team-006", "its owner is rolling it out, for too long", "meshroll converge namespace/team-006"])
    expect(text).toContain(part);
  const drift = await page.locator("#drift").textContent();
  for (const part of ["from main, and no run moves them", 'meshroll converge all --reason "…"'])
    expect(drift).toContain(part);
  await bed().planner.publish(makeInstant());
});

/** True for a non-empty list of names that match the search, in order. */
function isFiltered(names: readonly string[]): boolean {
  return (
    names.length > 0 && names.every((name) => name.startsWith("team-01")) && names.toSorted().join() === names.join()
  );
}

it("filter and order are in the URL, and a link with them shows the same", async () => {
  const page = await bed().open("/");
  await page.getByRole("searchbox", { name: "name" }).fill("team-01");
  await page.locator("#namespaces").getByRole("combobox", { name: "cluster" }).selectOption("prod-use1-a");
  await page.getByRole("columnheader", { name: "namespace" }).getByRole("button").click();
  const rows = page.getByRole("region", { name: "Namespaces" }).locator("tbody th");
  await expect.poll(() => rows.allTextContents()).toSatisfy(isFiltered);
  const shown = await rows.allTextContents();
  expect(new URL(page.url()).search).toBe("?q=team-01&cluster=prod-use1-a&sort=name");

  const other = await bed().open("/?q=team-01&cluster=prod-use1-a&sort=name");
  const others = other.getByRole("region", { name: "Namespaces" }).locator("tbody th");
  await expect.poll(() => others.allTextContents()).toEqual(shown);
});

it("a campaign has a line for each stage, and the present one says where it stands", async () => {
  const page = await bed().open("/");
  const stages = page.getByRole("region", { name: "Stages of istio-1-25" });
  await stages.locator("tbody tr.stage").nth(7).waitFor();
  const present = stages.locator('tr[aria-current="step"]');
  for (const part of ["prod-25", "running", "production", "25 %"])
    await expect(present.textContent()).resolves.toContain(part);
  await expect(present.getByRole("link").getAttribute("href")).resolves.toBe("/runs/6d6572676500");
  await expect(stages.locator("tr.detail").textContent()).resolves.toContain("12 of 29 workloads migrated");
  const campaign = page.getByRole("article", { name: "istio-1-25" });
  await expect(campaign.getByRole("list", { name: "What comes next" }).textContent()).resolves.toContain(
    "the bake: 24 h of healthy time",
  );
  const times = await campaign.getByRole("list", { name: "On the clock" }).textContent();
  expect(times).toMatch(/in 4 h .*the window closes.*freeze "Thanksgiving peak" begins/);
  const text = await campaign.textContent();
  for (const part of [
    "1 of 2 allowed before the run stops",
    "PCI audit MESH-398",
    "meshroll rollback run/6d6572676500",
  ])
    expect(text).toContain(part);
});

it("a stop is shown with who and why, and a pull request with its checks", async () => {
  const page = await bed().open("/");
  const stops = stopOf({ id: "one", scope: "campaign/istio-1-25", who: "ana", why: "checking the error rate" });
  await bed().planner.publish(makeInstant({ stops, snapshot: pulls() }));
  const held = page.getByRole("list", { name: "Holds and pauses of istio-1-25" });
  await held.waitFor();
  for (const part of ["ana", "checking the error rate", "meshroll resume campaign/istio-1-25"])
    await expect(held.textContent()).resolves.toContain(part);
  const text = await page.getByRole("article", { name: "istio-1-25" }).textContent();
  expect(text).toContain("#119 for prod-50, open meshroll/plan green meshroll/approvals pending");
  const first = page.getByRole("region", { name: "Waits" }).locator("tbody tr").first();
  await expect(first.textContent()).resolves.toContain("needs a person");
  await bed().planner.publish(makeInstant());
});

it("every wait says what ends it, and has a command, if only one that looks", async () => {
  const page = await bed().open("/");
  const rows = page.getByRole("region", { name: "Waits" }).locator("tbody tr");
  await rows.first().waitFor();
  for (const row of await rows.all()) {
    await expect(row.locator("td").nth(2).textContent()).resolves.toBe("when the wave before is over");
    await expect(row.locator("td").nth(3).textContent()).resolves.toContain("meshroll describe run/6d6572676500");
  }
});

it("the fleet is drawn by bucket or by cluster, with the choice in the URL and the same as a table", async () => {
  const page = await bed().open("/");
  await page.getByRole("group", { name: /^production: 120 namespaces, 25 % requested on 1-25-2/ }).waitFor();
  await page.getByRole("radio", { name: "a cluster" }).check();
  await page.getByRole("group", { name: /^prod-use1-b: 20 namespaces, 3 of 20 requested on 1-25-2/ }).waitFor();
  await expect(page.getByRole("group", { name: /^(?:prod|stage)-/ }).count()).resolves.toBe(6);
  expect(new URL(page.url()).search).toBe("?by=cluster");
  await page.getByText("The picture as a table").click();
  const row = page.getByRole("region", { name: "The picture as a table" }).getByRole("row", { name: /prod-use1-b/ });
  await expect(row.getByRole("cell").allTextContents()).resolves.toEqual([
    "3 of 20 requested on 1-25-2",
    "1",
    "2",
    "0",
    "0",
    "0",
    "0",
    "17",
    "0",
    "20",
  ]);
});

it("clusters are filtered by the URL, and a row leads to its namespaces", async () => {
  const page = await bed().open("/?revision=1-25-2");
  const clusters = page.getByRole("region", { name: "Clusters" });
  await expect.poll(() => clusters.getByRole("columnheader", { name: "actual", exact: true }).count()).toBe(1);
  const sums = clusters.getByRole("row", { name: /^all 6/ }).getByRole("cell");
  // Requested, actual, healthy; several revisions, restarting, lacking pods, at work.
  await expect(sums.allTextContents()).resolves.toEqual(["34", "17 −17", "17", "0", "6", "0", ""]);
  await page.locator("#clusters").getByRole("button", { name: "Show all" }).click();
  await clusters.getByRole("link", { name: "prod-use1-a" }).click();
  expect(new URL(page.url()).search).toBe("?cluster=prod-use1-a");
  await expect(clusters.locator("tbody tr").count()).resolves.toBe(1);
  const note = page.locator("#namespaces h2");
  await expect(note.textContent()).resolves.toContain("20 of 120");
});
