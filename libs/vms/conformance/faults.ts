import { expect, it } from "vitest";

import { makeVm, openFresh, report, type VmBench, waitForList } from "./bench.ts";

const tag = { revision: "1-25-2", at: Date.UTC(2026, 0, 2) };

/** Outages and wipes. */
export function describeFaults(make: () => Promise<VmBench>): void {
  it("what does not answer makes no tag, and the same call works afterwards", async () => {
    const bench = await make();
    const vm = makeVm(bench, 1);
    await bench.add([vm], report);
    const fleet = await openFresh(bench);
    await bench.breakOff();
    expect(await fleet.setTag(vm, tag)).toEqual({ kind: "unavailable", why: expect.stringMatching(/./) as string });
    await bench.fix();
    expect(await fleet.setTag(vm, tag)).toEqual({ kind: "written" });
  });

  it("in an outage the list is not fresh after a minute, and says why; it keeps its VMs, and is fresh again afterwards", async () => {
    const bench = await make();
    const vm = makeVm(bench, 1);
    await bench.add([vm], report);
    const fleet = await openFresh(bench);
    await waitForList(bench, fleet, ({ vms }) => expect(vms).toHaveLength(1));
    await bench.breakOff();
    await waitForList(bench, fleet, ({ fresh }) => expect(fresh).toBe(false), 20_000);
    expect(fleet.list()).toMatchObject({ problems: [expect.stringMatching(/./) as string], vms: [{ name: vm.name }] });
    await bench.fix();
    await waitForList(bench, fleet, ({ fresh }) => expect(fresh).toBe(true));
    expect(fleet.list()).toMatchObject({ problems: [], vms: [{ name: vm.name }] });
  });

  it("VMs of a bus that was wiped stay, and their reports have no age until agents report again", async () => {
    const bench = await make();
    const vm = makeVm(bench, 1);
    await bench.add([vm], report);
    const fleet = await openFresh(bench);
    await fleet.setTag(vm, tag);
    await bench.wipe();
    await waitForList(bench, fleet, ({ fresh, vms }) => {
      expect(fresh).toBe(true);
      expect(vms.map(({ name, reportAgeMs }) => [name, reportAgeMs])).toEqual([[vm.name, undefined]]);
    });
    expect(await fleet.setTag(vm, tag)).toEqual({ kind: "written" });
    expect(fleet.list().vms).toEqual([{ ...vm, tag: tag.revision, taggedAt: tag.at, report }]);
    await bench.report(vm, { ...report, at: "2026-01-01T00:00:30.000Z" });
    await waitForList(bench, fleet, ({ vms }) => expect(vms[0]?.reportAgeMs).toBeTypeOf("number"));
  });
}
