import { describe, expect, test } from "vitest";

import { file, settingsOf, templateOf } from "../shop.ts";
import { countRuns, endVmShop, ledger, openVmShop } from "./open-vm-shop.ts";

const minute = 60_000;
const fast = settingsOf("batchSize: 10, readinessTimeout: 5m", "vms: { maxUnavailable: 20%, deadline: 0s }\n");

describe("a group of VMs moves with its namespace", () => {
  test("one merge moves its VMs, at most a share of them unavailable at once, and the run ends when all have moved", async () => {
    const bench = await openVmShop(10, { settings: fast });
    const { flow, vms } = bench;
    flow.whenMerged(file(100));
    await flow.until("the run is done", async () => (await countRuns(flow, "done")) === 1);
    expect(vms.running("ledger")).toEqual({ new: 10 });
    expect(vms.mostDown).toBe(2);
    const group = await templateOf(flow, ledger);
    expect(group?.labels).toEqual({ "istio.io/rev": "new" });
    await endVmShop(bench);
  });

  test("its VMs are spread over the deadline", async () => {
    const settings = settingsOf("batchSize: 10", "vms: { maxUnavailable: 20%, deadline: 20m }\n");
    const bench = await openVmShop(10, { settings });
    const { flow, vms } = bench;
    flow.whenMerged(file(100));
    await flow.pass(7.5 * minute);
    expect(vms.running("ledger")).toEqual({ new: 4, old: 6 });
    await flow.until("the run is done", async () => (await countRuns(flow, "done")) === 1, 30 * minute);
    expect(vms.mostDown).toBe(1);
    await endVmShop(bench);
  });

  test("a stop holds the next VM, and after it late ones are caught up within the budget", async () => {
    const settings = settingsOf("batchSize: 10", "vms: { maxUnavailable: 20%, deadline: 20m }\n");
    const bench = await openVmShop(10, { settings });
    const { flow, vms } = bench;
    flow.whenMerged(file(100));
    await flow.pass(3.5 * minute);
    await flow.whenAsked({ verb: "stop", scope: "all" });
    await flow.pass(12 * minute);
    expect(vms.running("ledger")).toEqual({ new: 2, old: 8 });
    await flow.whenAsked({ verb: "resume", scope: "all" });
    await flow.pass(4 * minute);
    expect(vms.running("ledger")["new"]).toBeGreaterThanOrEqual(7);
    expect(vms.mostDown).toBe(2);
    await endVmShop(bench);
  });

  test("a rollback brings them back, the one in hand at once, the others within the budget and without a deadline", async () => {
    const settings = settingsOf("batchSize: 10", "vms: { maxUnavailable: 20%, deadline: 20m }\n");
    const bench = await openVmShop(10, { settings, upgradeMs: 40_000 });
    const { flow, vms } = bench;
    flow.whenMerged(file(100));
    await flow.pass(8.5 * minute);
    expect(vms.running("ledger")["new"]).toBeGreaterThanOrEqual(4);
    flow.whenMerged(file(0));
    await flow.pass(5 * minute);
    expect(vms.running("ledger")).toEqual({ old: 10 });
    expect(vms.mostDown).toBeLessThanOrEqual(2);
    await endVmShop(bench);
  });

  test("an artifact that no VM keeps fails the group, which goes back, and says which VM it was", async () => {
    const bench = await openVmShop(10, { settings: fast });
    const { flow, vms } = bench;
    for (let at = 1; at <= 10; at += 1) vms.givesUp.set(`vm-${at}`, "new");
    flow.whenMerged(file(100));
    await flow.until("the group has failed", async () => (await flow.status())?.failures?.count === 1, 30 * minute);
    await flow.pass(2 * minute);
    expect(vms.running("ledger")).toEqual({ old: 10 });
    expect(vms.mostDown).toBeLessThanOrEqual(2);
    expect(Object.values(await vms.tags())).toEqual(Array.from({ length: 10 }, () => "old"));
    const failures = (await flow.status())?.failures;
    expect(failures?.items.map(({ message }) => message)).toEqual([
      "ReadinessTimeout: VM vm-1 (Quarantined): new was tried and given up",
    ]);
    await endVmShop(bench);
  });

  test("while no report comes, no VM is tagged and nothing fails; a wiped bus is written again", async () => {
    const settings = settingsOf("batchSize: 10, readinessTimeout: 5m", "vms: { maxUnavailable: 20%, deadline: 20m }\n");
    const bench = await openVmShop(10, { settings });
    const { flow, vms } = bench;
    flow.whenMerged(file(100));
    await flow.pass(3.5 * minute);
    for (let at = 1; at <= 10; at += 1) vms.turnOff(`vm-${at}`);
    await flow.pass(8 * minute);
    expect(vms.running("ledger")).toEqual({ new: 2, old: 8 });
    flow.bus.wipe();
    for (let at = 1; at <= 10; at += 1) vms.turnOn(`vm-${at}`);
    await flow.until("the run is done", async () => (await countRuns(flow, "done")) === 1, 30 * minute);
    expect(vms.running("ledger")).toEqual({ new: 10 });
    expect(Object.values(await vms.tags())).toEqual(Array.from({ length: 10 }, () => "new"));
    await endVmShop(bench);
  });

  test("an executor that is killed in the middle goes on where the tags are", async () => {
    const settings = settingsOf("batchSize: 10, readinessTimeout: 5m", "vms: { maxUnavailable: 20%, deadline: 20m }\n");
    const bench = await openVmShop(10, { settings });
    const { flow, vms } = bench;
    flow.whenMerged(file(100));
    for (let times = 0; times < 4; times += 1) {
      await flow.pass(2.3 * minute);
      await flow.killExecutor();
      flow.startExecutor();
    }
    await flow.until("the run is done", async () => (await countRuns(flow, "done")) === 1, 30 * minute);
    expect(vms.mostDown).toBeLessThanOrEqual(2);
    await endVmShop(bench);
  });
});
