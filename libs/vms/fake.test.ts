import { describeVmFleet, type VmBench } from "#conformance/vms";
import { createVirtualClock } from "#fakes/runtime";
import { readVmKey } from "#libs/events";
import type { VmReport } from "#libs/fleet";
import { describe, expect, it } from "vitest";

import { createFakeVms } from "./fake.ts";

const vm = { group: { cluster: "east", namespace: "payments", name: "ledger" }, name: "vm-1" };
const tag = { revision: "1-25-2", at: 1 };

async function makeBench(): Promise<VmBench> {
  const clock = createVirtualClock();
  const vms = createFakeVms(clock);
  return {
    cluster: "east",
    name: (number) => `vm-${String(number).padStart(4, "0")}`,
    open: async () => vms.open("east"),
    async add(refs, report: VmReport) {
      for (const each of refs) {
        vms.add(each);
        vms.report(each, report);
      }
    },
    report: async (each, report) => vms.report(each, report),
    end: async (each) => vms.remove(each),
    breakOff: async () => vms.disconnect(),
    fix: async () => vms.connect(),
    refuse: async () => vms.refuse("no right to set tags"),
    wipe: async () => vms.loseReports(),
    scribble: async (key) => vms.scribble(readVmKey(key) ?? key),
    pass: async (ms) => clock.advance(ms),
  };
}

describeVmFleet("VMs in memory", makeBench);

describe("VMs in memory", () => {
  it("an answer that is lost says unavailable, and the tag is there", async () => {
    const vms = createFakeVms(createVirtualClock());
    vms.add(vm);
    const fleet = vms.open("east");
    await fleet.start(() => undefined, new AbortController().signal);
    vms.loseNextAnswer();
    expect(await fleet.setTag(vm, tag)).toMatchObject({ kind: "unavailable" });
    expect(fleet.list().vms[0]?.tag).toBe(tag.revision);
    expect(vms.writes).toEqual([{ vm, tag }]);
  });

  it("a VM that the cloud stopped is shown as stopped", async () => {
    const vms = createFakeVms(createVirtualClock());
    vms.add(vm, { stopped: true });
    const fleet = vms.open("east");
    await fleet.start(() => undefined, new AbortController().signal);
    expect(fleet.list().vms).toEqual([{ ...vm, stopped: true }]);
  });
});
