import type { CampaignStatus, FleetStatus, NamespaceRow } from "#libs/plan";
import { writeText } from "#libs/wording";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";

import { makeStop } from "../world/build.ts";
import { instantRun, makeInstant } from "../world/campaigns/campaign-instant.ts";
import { tableOf } from "./bed/planner-stub.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();
const table = tableOf(makeInstant());
const find = (state: string, least = 0) =>
  table.rows.find((row) => table.states[row[5]] === state && (row[2] ?? 0) > least)?.[0] ?? "none";

beforeAll(async () => bed().planner.publish(makeInstant()));

function isBetween(value: number | null, low: number, high: number): boolean {
  return value !== null && value > low && value < high;
}

/** Changes the only campaign of a status. */
function changeCampaign(change: (campaign: CampaignStatus) => Partial<CampaignStatus>) {
  return (status: FleetStatus): FleetStatus => ({
    ...status,
    campaigns: (status.campaigns ?? []).map((each) => ({ ...each, ...change(each) })),
  });
}

/** The texts of the three times: not before, expected and latest. */
async function readTimes(page: Page): Promise<readonly string[]> {
  await page.locator(".time").first().waitFor();
  return page.locator(".time dd").allTextContents();
}

it("an owner reads when the namespace moves, why, and the command that pins it", async () => {
  const name = find("OnTrack", 50);
  const page = await bed().open(`/namespaces/${name}`);
  const main = page.locator("main");
  await expect.poll(() => main.textContent()).toContain("It moves with prod-100 of istio-1-25, after 1 stage still");
  for (const words of [`meshroll pin ${name} 1-24-5 --for 7d`, "meshroll.dev/opt-out", "production", "1-24-5"]) {
    expect(await main.textContent()).toContain(words);
  }
  const [notBefore, expected, latest] = await readTimes(page);
  expect(notBefore).toMatch(/^in \d+ d .*by windows, freezes and bakes/);
  expect(expected).toContain("it depends on prod-50");
  expect(latest).toContain("no time is set");
  const own = page
    .getByRole("region", { name: "Stages of its bucket" })
    .getByRole("row", { name: /prod-100.*moves it/ });
  expect(await own.textContent()).toContain("not before");
});

it("an owner of a pending namespace reads until when it is expected, what it waits for, and nothing of others", async () => {
  const page = await bed().open(`/namespaces/${find("Pending")}`);
  await expect.poll(() => page.locator("main").textContent()).toContain("it goes with the batches under way");
  const [, expected] = await readTimes(page);
  expect(expected).toMatch(/^in .*at the pace so far/);
  const scopes = page.getByRole("region", { name: "Waits" }).locator("tbody th");
  const [own] = table.rows.find(([name]) => name === find("Pending"))?.[8].map((at) => table.clusters[at]?.name) ?? [];
  expect(await scopes.allTextContents()).toEqual([`run/${instantRun}@${own}`]);
});

it("an owner whose deploy is waited for reads from when on batches restart what is left", async () => {
  const [name, at] = [find("Pending"), table.states.indexOf("Waiting")];
  const deadline = { event: "BatchesBegin" as const, at: "2026-11-19T18:00:00.000Z", text: writeText("batches begin") };
  await bed().planner.publish(makeInstant(), {
    status: changeCampaign(() => ({ next: [deadline] })),
    table: (all) => ({
      ...all,
      rows: all.rows.map((row) => (row[0] === name ? (row.with(5, at) as unknown as NamespaceRow) : row)),
    }),
  });
  const page = await bed().open(`/namespaces/${name}`);
  await expect.poll(() => page.locator("main").textContent()).toContain("Its move waits for its owner");
  const [, expected, latest] = await readTimes(page);
  expect([expected, latest]).toEqual([
    expect.stringContaining("not known"),
    expect.stringMatching(/^in .*then batches restart what has not moved/),
  ]);
  await bed().planner.publish(makeInstant());
});

it("an owner of a moved namespace reads which run moved it, and how to go back", async () => {
  const name = table.rows.find((row) => table.states[row[5]] === "OnTrack" && isBetween(row[2], 5, 25))?.[0];
  const page = await bed().open(`/namespaces/${name}`);
  const main = page.locator("main");
  await expect.poll(() => main.textContent()).toContain("It runs what main requests: nothing is to come");
  expect(await page.locator("#happened").textContent()).toContain(`Run ${instantRun} of stage prod-25 moved it`);
  expect(await page.locator("#opt-out").textContent()).toContain(`meshroll pin ${name} 1-24-5 --for 7d`);
  expect(await main.textContent()).not.toContain("Waiting for");
});

it("an owner of a failed namespace reads why, in which run, and the command for a retry", async () => {
  const page = await bed().open(`/namespaces/${find("Failed")}`);
  const row = page.getByRole("region", { name: "What happened to its workloads" }).locator("tbody tr");
  await expect.poll(() => row.count()).toBe(1);
  const text = await row.textContent();
  for (const words of ["failed: ReadinessTimeout", `run ${instantRun}`, "meshroll retry run/"])
    expect(text).toContain(words);
});

it("a failure that the status does not list has the command that lists it, and a put back workload its own row", async () => {
  const name = find("Failed");
  await bed().planner.publish(makeInstant(), {
    status: (status) => ({ ...status, failures: { count: 101, namespaces: 101, items: [] } }),
  });
  const page = await bed().open(`/namespaces/${name}`);
  const happened = page.locator("#happened");
  await expect.poll(() => happened.textContent()).toContain(`meshroll get failures -n ${name}`);
  const putBack = { workloads: 1, insisting: [], message: "m", list: "l", command: "c" };
  await bed().planner.publish(makeInstant(), {
    status: (status) => ({ ...status, putBack: { ...putBack, first: [`prod-use1-a:${name}/Deployment/api`] } }),
  });
  await expect.poll(() => happened.textContent()).toContain("put back by a deploy of its owner");
  expect(await happened.textContent()).toContain(`meshroll converge namespace/${name}`);
  await bed().planner.publish(makeInstant());
});

it("an owner of a namespace that is left out or held reads why, until when, and what ends it", async () => {
  const name = find("OnTrack", 50);
  const until = "2026-12-04T00:00:00.000Z";
  await bed().planner.publish(makeInstant(), {
    status: changeCampaign(() => ({ leftOut: [{ pattern: "production", reason: "yearly audit", until }] })),
  });
  const page = await bed().open(`/namespaces/${name}`);
  const main = page.locator("main");
  await expect.poll(() => main.textContent()).toMatch(/istio-1-25 leaves it out until .*yearly audit/);
  const stop = makeStop({ id: "h", scope: `namespace/${name}`, strength: "propose", why: "not in the sale" });
  await bed().planner.publish(makeInstant({ stops: { h: stop } }));
  await expect.poll(() => page.locator("#holds").textContent()).toContain("not in the sale");
  expect((await readTimes(page))[0]).toContain("and not while it is held");
  expect(await main.textContent()).not.toContain("Waiting for");
  expect(await page.locator("#holds").textContent()).toContain(`meshroll unhold namespace/${name}`);
  await bed().planner.publish(makeInstant());
});

it("an owner of VMs reads how many were upgraded, are broken, and what lists them; others read nothing of them", async () => {
  const [name, other] = [find("Pending"), find("Failed")];
  const none = { unknown: 0, unhealthy: 0, absent: 0 };
  const group = {
    workload: `${name}/WorkloadGroup/db`,
    vms: 40,
    allowed: 4,
    upgrading: 2,
    failed: 1,
    outdated: 20,
    ...none,
  };
  await bed().planner.publish(makeInstant(), {
    status: (status) => ({
      ...status,
      rollouts: [{ cluster: "prod-use1-a", run: instantRun, workloads: [group.workload], vms: [group] }],
    }),
  });
  const page = await bed().open(`/namespaces/${name}`);
  const own = page.locator("#vms");
  await expect.poll(() => own.textContent()).toContain("17 of 40 VMs upgraded, 2 upgrading, 1 failed");
  expect(await own.textContent()).toContain(`meshroll get vms ${name}/db`);
  const others = await bed().open(`/namespaces/${other}`);
  await expect.poll(() => others.locator("main").textContent()).toContain("What happened to it");
  expect(await others.locator("#vms").count()).toBe(0);
  await bed().planner.publish(makeInstant());
});

it("the page of an unknown name says so", async () => {
  const page = await bed().open("/namespaces/no-such-team");
  await expect.poll(() => page.locator("main").textContent()).toContain("No managed namespace has this name");
});
