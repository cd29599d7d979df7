import { describe, expect, test } from "vitest";

import { file, settingsOf } from "../shop.ts";
import { countRuns, endVmShop, ledger, openVmShop, type VmShop } from "./open-vm-shop.ts";

const minute = 60_000;
const spread = settingsOf("batchSize: 10, readinessTimeout: 5m", "vms: { maxUnavailable: 20%, deadline: 40m }\n");

/** A group of ten in the middle of its move, with three or four VMs on `new`. */
async function openMiddle(): Promise<VmShop & { readonly before: Readonly<Record<string, number>> }> {
  const shop = await openVmShop(10, { settings: spread });
  shop.flow.whenMerged(file(100));
  await shop.flow.pass(11 * minute);
  return { ...shop, before: shop.vms.running("ledger") };
}

async function countFailures({ flow }: VmShop): Promise<number> {
  return (await flow.status())?.failures?.count ?? 0;
}

describe("what fails no group", () => {
  test("between two turns a WorkloadEntry is unhealthy for some seconds", async () => {
    const settings = settingsOf("batchSize: 10, readinessTimeout: 5m", "vms: { maxUnavailable: 1, deadline: 100m }\n");
    const shop = await openVmShop(10, { settings });
    shop.flow.whenMerged(file(100));
    await shop.flow.pass(18 * minute);
    shop.flow.model("one").setEntryHealth("shop-a", "ledger-10.0.0.9", false);
    await shop.flow.pass(5000);
    shop.flow.model("one").setEntryHealth("shop-a", "ledger-10.0.0.9", true);
    await shop.flow.pass(minute);
    expect(await countFailures(shop)).toBe(0);
    await endVmShop(shop);
  });

  test("a VM that was upgraded is switched off", async () => {
    const shop = await openMiddle();
    shop.vms.turnOff("vm-1");
    await shop.flow.pass(12 * minute);
    expect(await countFailures(shop)).toBe(0);
    expect(shop.vms.running("ledger")["new"]).toBeGreaterThan(shop.before["new"] ?? 0);
    await endVmShop(shop);
  });
});

describe("what upgrades no VM", () => {
  const cases: Readonly<Record<string, (shop: VmShop) => Promise<void> | void>> = {
    "its owner opts the group out in the middle": ({ flow }) =>
      flow.model("one").ownerApply(ledger, { annotations: { "meshroll.dev/opt-out": "not now" } }),
    "its cluster is excluded in the middle": ({ flow }) =>
      void flow.whenMerged(file(100), `${spread}clusters:\n  one: { excluded: true }\n`),
    "a third revision is merged under a stop": async ({ flow }) => {
      await flow.whenAsked({ verb: "stop", scope: "all" });
      await flow.pass(30_000);
      flow.whenMerged("production:\n  old: 0\n  new: 0\n  newer: 100\n");
    },
    "the revision before is not served, so that a revert waits": ({ flow }) => {
      flow.model("one").setIstiod("old", "unready");
      flow.whenMerged(file(0));
    },
    "the probes of all WorkloadEntries fail at once": ({ flow }) => {
      for (let at = 1; at <= 10; at += 1) flow.model("one").setEntryHealth("shop-a", `ledger-10.0.0.${at}`, false);
    },
  };
  test.each(Object.entries(cases))("%s", async (_, cause) => {
    const shop = await openMiddle();
    await cause(shop);
    const onNew = shop.vms.running("ledger")["new"] ?? 0;
    await shop.flow.pass(9 * minute);
    // One may have been in hand.
    expect(shop.vms.running("ledger")["new"]).toBeLessThanOrEqual(onNew + 1);
    expect(shop.vms.mostDown).toBeLessThanOrEqual(2);
    shop.vms.stop();
  });
});

describe("what ends no run", () => {
  test("the bus is wiped, the executor begins again, and agents come back after six minutes", async () => {
    const { flow, vms } = await openMiddle();
    for (let at = 1; at <= 10; at += 1) vms.turnOff(`vm-${at}`);
    flow.bus.wipe();
    await flow.killExecutor();
    flow.startExecutor();
    await flow.pass(6 * minute);
    expect(await countRuns(flow, "done")).toBe(0);
    vms.stop();
  });
});

test("an executor that begins again in a rollback keeps the budget", async () => {
  const settings = settingsOf("batchSize: 10", "vms: { maxUnavailable: 20%, deadline: 0s }\n");
  const shop = await openVmShop(10, { settings, upgradeMs: 60_000 });
  const { flow, vms } = shop;
  flow.whenMerged(file(100));
  await flow.until("the run is done", async () => (await countRuns(flow, "done")) === 1, 30 * minute);
  flow.whenMerged(file(0));
  await flow.pass(30_000);
  await flow.killExecutor();
  flow.startExecutor();
  await flow.pass(12 * minute);
  expect(vms.mostDown).toBeLessThanOrEqual(2);
  expect(vms.running("ledger")).toEqual({ old: 10 });
  await endVmShop(shop);
});

test("a group that is merged while nothing is heard of its VMs is not taken for unhealthy before the run", async () => {
  const shop = await openVmShop(10, { settings: spread });
  for (let at = 1; at <= 10; at += 1) shop.vms.turnOff(`vm-${at}`);
  await shop.flow.pass(3 * minute);
  shop.flow.whenMerged(file(100));
  await shop.flow.pass(minute);
  const [run] = await shop.flow.runs();
  expect(run?.clusters["one"]?.unhealthyBefore).toEqual([]);
  shop.vms.stop();
});
