import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { describeVmFleet, type VmBench } from "#conformance/vms";
import { createVirtualClock } from "#fakes/runtime";
import { BusRefused, type KeyValue } from "#libs/bus";
import { nameVmKey, printVmReport, printVmTag } from "#libs/events";
import type { VmRef, VmReport } from "#libs/fleet";
import { describe, expect, it, onTestFinished } from "vitest";

import { openSelfHostedVms } from "./open-self-hosted-vms.ts";

const monthMs = 31 * 24 * 3_600_000;

async function makeBench(): Promise<VmBench> {
  const clock = createVirtualClock();
  const server = createFakeBusServer();
  const bucket = openFakeBus(server).bucket("vms");
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
    open: async () => openSelfHostedVms({ bucket: guarded, cluster: "east", clock }),
    async add(vms, report) {
      for (const vm of vms) await write(vm, report);
    },
    report: write,
    async end(vm) {
      reported.delete(nameVmKey("reports", vm));
      await clock.leap(monthMs);
      const at = new Date(clock.now()).toISOString();
      for (const [key, report] of reported) await bucket.put(key, printVmReport({ ...report, at }));
    },
    breakOff: async () => server.disconnect(),
    fix: async () => server.connect(),
    refuse: async () => void (isRefused = true),
    wipe: async () => server.wipe(),
    scribble: async (key, value) => void (await bucket.put(key, value)),
    pass: async (ms) => clock.advance(ms),
  };
}

describeVmFleet("self-hosted VMs", makeBench);

describe("tags of VMs that are gone", () => {
  const vm = { group: { cluster: "east", namespace: "payments", name: "ledger" }, name: "vm-1" };
  const tagKey = nameVmKey("tags", vm);
  const report: VmReport = {
    at: "2025-11-30T00:00:00.000Z",
    agent: "0.1.0",
    address: "10.0.0.1",
    tag: "1-24-5",
    revision: "1-24-5",
    attempted: null,
    inProgress: false,
    ready: true,
    code: "UpToDate",
    message: "1-24-5 runs",
  };
  const recent = "2025-12-31T00:00:00.000Z";
  const [longAgo, now] = [Date.UTC(2025, 10, 30), Date.UTC(2026, 0, 1)];

  /** A process that began `minutes` ago, with these values in the bucket. */
  async function startWith(values: { readonly report?: VmReport; readonly taggedAt?: number }) {
    const clock = createVirtualClock(now);
    const server = createFakeBusServer();
    const bucket = openFakeBus(server).bucket("vms");
    if (values.report !== undefined) await bucket.put(nameVmKey("reports", vm), printVmReport(values.report));
    if (values.taggedAt !== undefined)
      await bucket.put(tagKey, printVmTag({ revision: "1-24-5", at: values.taggedAt }));
    const fleet = openSelfHostedVms({ bucket, cluster: "east", clock });
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    await fleet.start(() => undefined, stop.signal);
    await clock.settle();
    return { clock, server, bucket, fleet };
  }

  const cases = [
    { name: "no report for 30 days", values: { report, taggedAt: longAgo }, wantKept: false },
    { name: "tagged 30 days ago and never heard of", values: { taggedAt: longAgo }, wantKept: false },
    {
      name: "a report of yesterday",
      values: { report: { ...report, at: recent }, taggedAt: longAgo },
      wantKept: true,
    },
    { name: "tagged a moment ago, and its agent does not run yet", values: { taggedAt: now }, wantKept: true },
  ];
  it.each(cases)("$name", async ({ wantKept, values }) => {
    const { clock, bucket, fleet } = await startWith(values);
    // At first it may be one whose clock is wrong, and which reports in a minute.
    await clock.advance(9 * 60_000);
    expect(fleet.list().vms).toHaveLength(1);
    await clock.advance(10 * 60_000);
    expect(fleet.list().vms).toHaveLength(wantKept ? 1 : 0);
    expect((await bucket.get(tagKey)) !== undefined).toBe(wantKept);
  });

  it("a VM whose clock is a month late keeps its tag as long as it reports", async () => {
    const { clock, bucket, fleet } = await startWith({ report, taggedAt: longAgo });
    for (let minute = 0; minute < 40; minute += 1) {
      await clock.advance(60_000);
      const at = new Date(Date.parse(report.at) + minute * 60_000).toISOString();
      await bucket.put(nameVmKey("reports", vm), printVmReport({ ...report, at }));
    }
    expect(fleet.list().vms).toMatchObject([{ name: "vm-1", tag: "1-24-5" }]);
  });

  it("a tag that a person purged from the bucket leaves the list", async () => {
    const { clock, server, fleet } = await startWith({ report: { ...report, at: recent }, taggedAt: now });
    server.purge("tags.>");
    await clock.advance(6 * 60_000);
    expect(fleet.list().vms).toEqual([{ ...vm, report: { ...report, at: recent } }]);
  });

  it("a tag that is set after a wipe which no watch told of yet is in the list at once", async () => {
    const server = createFakeBusServer();
    const bucket = openFakeBus(server).bucket("vms");
    for (const revision of ["a", "b"]) await bucket.put(tagKey, printVmTag({ revision, at: now }));
    const frozen = new AbortController();
    const deaf: KeyValue = {
      ...bucket,
      watch: async (pattern, watcher) => bucket.watch(pattern, watcher, frozen.signal),
    };
    const clock = createVirtualClock(now);
    const fleet = openSelfHostedVms({ bucket: deaf, cluster: "east", clock });
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    await fleet.start(() => undefined, stop.signal);
    await clock.settle();
    expect(fleet.list().vms).toMatchObject([{ tag: "b" }]);
    frozen.abort();
    server.wipe();
    expect(await fleet.setTag(vm, { revision: "c", at: now })).toEqual({ kind: "written" });
    expect(fleet.list().vms).toMatchObject([{ tag: "c" }]);
  });

  it("a name that is too long for the bus is refused, and is for a person", async () => {
    const { fleet } = await startWith({});
    const long = { ...vm, name: "v".repeat(128), group: { ...vm.group, name: "g".repeat(128) } };
    expect(await fleet.setTag(long, { revision: "1-25-2", at: now })).toEqual({
      kind: "refused",
      why: expect.stringContaining("is not a key") as string,
    });
  });
});
