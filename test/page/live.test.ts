import { afterEach, beforeEach, expect, it } from "vitest";

import { allMigrated, makeInstant } from "../world/campaigns/campaign-instant.ts";
import { usePage } from "./bed/use-page.ts";

const bed = usePage();

beforeEach(async () => bed().planner.publish(makeInstant()));
afterEach(async () => {
  await bed().nats.start();
  await bed().api.kill();
  await bed().api.start();
});

it("a new status appears on the page without a reload, in the table too", async () => {
  const page = await bed().open("/");
  const failed = page.getByRole("heading", { name: /^Failures/ });
  await expect.poll(() => failed.textContent()).toContain("1 workload in");
  await bed().planner.publish(makeInstant({ progress: allMigrated }));
  const began = performance.now();
  await expect.poll(() => failed.textContent()).toContain("none");
  process.stderr.write(`a change was seen ${Math.round(performance.now() - began)} ms after it was written\n`);
  const legend = page.getByRole("list", { name: "Namespaces by state" });
  await expect.poll(() => legend.textContent()).toContain("failed 0");
});

it("the page says within seconds that the api is gone, and continues by itself when it is back", async () => {
  const page = await bed().open("/");
  const sign = page.getByRole("status");
  await expect.poll(() => sign.textContent()).toBe("live");
  await bed().api.kill();
  await expect.poll(() => sign.textContent()).toMatch(/behind|no answer from the api/);
  await expect.poll(() => sign.textContent()).toContain("as of");
  await bed().api.start();
  await expect.poll(() => sign.textContent()).toBe("live");
});

it("the page says that NATS is gone, keeps the last status, and continues by itself", async () => {
  const page = await bed().open("/");
  const sign = page.getByRole("status");
  await expect.poll(() => sign.textContent()).toBe("live");
  await bed().nats.kill();
  await expect.poll(() => sign.textContent()).toContain("NATS does not answer");
  await expect(page.getByRole("heading", { name: "istio-1-25" }).isVisible()).resolves.toBe(true);
  await bed().nats.start();
  await expect.poll(() => sign.textContent()).toBe("live");
});

it("without a status of a planner the page says so", async () => {
  await bed().api.kill();
  bed().planner.stopPublishing();
  await bed().nats.kill();
  bed().nats.wipe();
  await bed().nats.start();
  await bed().api.start();
  const page = await bed().open("/");
  await expect.poll(() => page.locator("main").textContent()).toContain("No planner has published a status yet");
  await expect
    .poll(() => page.getByRole("status").textContent())
    .toMatch(/no planner has published|NATS does not answer/);
});
