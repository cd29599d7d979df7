import { describeVmFleet, type VmBench } from "#conformance/vms";
import { createVirtualClock } from "#fakes/runtime";
import { BusRefused, type KeyValue } from "#libs/bus";
import { nameVmKey, printVmReport } from "#libs/events";
import type { VmRef, VmReport } from "#libs/fleet";
import { openVmFleet } from "#libs/vms";

import { useRealBus } from "./real-bus.ts";

const { server, makeFresh, open, makeBench: makeBusBench } = useRealBus();

const monthMs = 31 * 24 * 3_600_000;

/** The bus is real and takes its time; the processes' clock passes as the test says. */
async function makeBench(): Promise<VmBench> {
  await makeFresh();
  const bus = await makeBusBench();
  const bucket = (await open()).bucket("vms");
  const clock = createVirtualClock();
  const reported = new Map<string, VmReport>();
  let isRefused = false;
  const guarded: KeyValue = {
    ...bucket,
    async put(key, value, expected) {
      if (isRefused) throw new BusRefused("the login may not write tags.east.>");
      return bucket.put(key, value, expected);
    },
  };
  const write = async (vm: VmRef, report: VmReport): Promise<void> => {
    reported.set(nameVmKey("reports", vm), report);
    await bucket.put(nameVmKey("reports", vm), printVmReport(report));
  };
  return {
    cluster: "east",
    name: (number) => `vm-${String(number).padStart(4, "0")}`,
    open: async () =>
      openVmFleet({ kind: "self-hosted", bucket: guarded, cluster: "east", clock, log: { warn: () => undefined } }),
    async add(vms, report) {
      await Promise.all(vms.map(async (vm) => write(vm, report)));
    },
    report: write,
    async end(vm) {
      reported.delete(nameVmKey("reports", vm));
      await clock.leap(monthMs);
      const at = new Date(clock.now()).toISOString();
      for (const [key, report] of reported) await bucket.put(key, printVmReport({ ...report, at }));
    },
    breakOff: async () => server().kill(),
    fix: async () => server().start(),
    refuse: async () => void (isRefused = true),
    wipe: async () => bus.wipe(),
    scribble: async (key, value) => void (await bucket.put(key, value)),
    pass: async (ms) => clock.advance(ms),
  };
}

describeVmFleet("self-hosted VMs over NATS", makeBench);
