import { nameVmKey } from "#libs/events";
import { expect, it } from "vitest";

import { makeVm, openFor, openFresh, report, type VmBench, waitForList } from "./bench.ts";

/** What a list has, and when it can be believed. */
export function describeLists(make: () => Promise<VmBench>): void {
  it("a process that has read nothing has no fresh list, and says why; then it has one", async () => {
    const bench = await make();
    await bench.add([makeVm(bench, 1)], report);
    const fleet = await bench.open();
    expect(fleet.list()).toMatchObject({ fresh: false, vms: [], problems: [expect.stringMatching(/./) as string] });
    const read = await openFresh(bench);
    expect(read.list().problems).toEqual([]);
  });

  it("VMs come by namespace, group and name, without a tag until they have one", async () => {
    const bench = await make();
    const sorted = [
      makeVm(bench, 5, "pay", "ledger"),
      makeVm(bench, 2, "pay", "ledger-2"),
      makeVm(bench, 3, "pay", "ledger-2"),
      makeVm(bench, 4, "pay", "ledger-2"),
      makeVm(bench, 1, "pay-eu", "ledger"),
    ];
    await bench.add(sorted.toReversed(), report);
    const fleet = await openFresh(bench);
    await waitForList(bench, fleet, ({ vms }) => expect(vms).toHaveLength(sorted.length));
    expect(fleet.list().vms).toEqual(sorted.map((vm) => ({ ...vm, report })));
  });

  it("a report has an age only after this process saw it change", async () => {
    const bench = await make();
    const vm = makeVm(bench, 1);
    await bench.add([vm], report);
    const fleet = await openFresh(bench);
    await waitForList(bench, fleet, ({ vms }) => expect(vms).toHaveLength(1));
    expect(fleet.list().vms[0]).not.toHaveProperty("reportAgeMs");
    // The same once more says nothing new: a copy of an old report would do that, too.
    await bench.report(vm, report);
    await bench.pass(5000);
    expect(fleet.list().vms[0]).not.toHaveProperty("reportAgeMs");
    const next = { ...report, at: "2026-01-01T00:00:30.000Z", ready: false };
    await bench.report(vm, next);
    await waitForList(bench, fleet, ({ vms }) => expect(vms[0]?.report).toEqual(next));
    const age = fleet.list().vms[0]?.reportAgeMs ?? Number.NaN;
    expect(age).toBeLessThan(5000);
    await bench.pass(7000);
    expect(fleet.list().vms[0]?.reportAgeMs).toBe(age + 7000);
  });

  it("a VM that is gone for good leaves the list", async () => {
    const bench = await make();
    const [vm, other] = [makeVm(bench, 1), makeVm(bench, 2)];
    await bench.add([vm, other], report);
    const fleet = await openFresh(bench);
    await waitForList(bench, fleet, ({ vms }) => expect(vms).toHaveLength(2));
    await bench.end(vm);
    await waitForList(bench, fleet, ({ vms }) => expect(vms.map(({ name }) => name)).toEqual([bench.name(2)]));
  });

  it("foreign keys are left out and named; a VM whose report is unreadable stays, as one without a report", async () => {
    const bench = await make();
    const vm = makeVm(bench, 1);
    await bench.add([vm], report);
    await bench.scribble(`reports.${bench.cluster}.junk`, "x");
    const fleet = await openFresh(bench);
    await waitForList(bench, fleet, ({ vms }) => expect(vms).toEqual([{ ...vm, report }]));
    expect(fleet.list().problems).toEqual([expect.stringContaining(`reports.${bench.cluster}.junk`) as string]);
    await bench.scribble(nameVmKey("reports", vm), '{"version":1}');
    await waitForList(bench, fleet, ({ vms }) => expect(vms).toEqual([vm]));
    expect(fleet.list().problems).toContainEqual(expect.stringContaining(`payments/ledger/${vm.name}`));
  });

  it("VMs of another cluster are not in the list", async () => {
    const bench = await make();
    const vm = makeVm(bench, 1);
    const other = makeVm({ ...bench, cluster: `${bench.cluster}-2` }, 2);
    await bench.add([other, vm], report);
    const fleet = await openFresh(bench);
    await waitForList(bench, fleet, ({ vms }) => expect(vms.map(({ name }) => name)).toEqual([bench.name(1)]));
  });

  it("a change is told", async () => {
    const bench = await make();
    const fleet = await bench.open();
    const stop = new AbortController();
    let told = 0;
    await fleet.start(() => void (told += 1), stop.signal);
    await waitForList(bench, fleet, ({ fresh }) => expect(fresh).toBe(true));
    const before = told;
    await bench.add([makeVm(bench, 1)], report);
    await waitForList(bench, fleet, ({ vms }) => expect(vms).toHaveLength(1));
    expect(told).toBeGreaterThan(before);
    stop.abort();
  });

  it("2,000 VMs come all, each once", async () => {
    const bench = await make();
    const vms = Array.from({ length: 2000 }, (_, index) => makeVm(bench, index));
    const names = vms.map(({ name }) => name);
    await bench.add(vms, report);
    const fleet = await openFor(bench);
    await waitForList(bench, fleet, (list) => expect(list.vms.map(({ name }) => name)).toEqual(names));
  });
}
