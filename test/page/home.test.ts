import { writeText } from "#libs/wording";
import { beforeAll, expect, it } from "vitest";

import { noon } from "../world/build.ts";
import { makeInstant, over } from "../world/campaigns/campaign-instant.ts";
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
  const rows = page.getByRole("region", { name: "Skipped workloads" }).locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(2);
  const text = await rows.first().textContent();
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
  await page.getByRole("combobox", { name: "cluster" }).selectOption("prod-use1-a");
  await page.getByRole("columnheader", { name: "namespace" }).getByRole("button").click();
  const rows = page.getByRole("region", { name: "Namespaces" }).locator("tbody th");
  await expect.poll(() => rows.allTextContents()).toSatisfy(isFiltered);
  const shown = await rows.allTextContents();
  expect(new URL(page.url()).search).toBe("?q=team-01&cluster=prod-use1-a&sort=name");

  const other = await bed().open("/?q=team-01&cluster=prod-use1-a&sort=name");
  const others = other.getByRole("region", { name: "Namespaces" }).locator("tbody th");
  await expect.poll(() => others.allTextContents()).toEqual(shown);
});
