import type { VmRef, VmReport } from "#libs/fleet";
import { expect, onTestFinished, vi } from "vitest";

import type { VmFleet, VmList } from "../port.ts";

/** Where VMs and their tags are, and the bus with their reports; a test controls all of it, and the time. */
export interface VmBench {
  readonly cluster: string;
  /** The name of the VM with this number, as VMs have names there; those of later numbers come later. */
  name(number: number): string;
  /** A process that did not begin to follow. */
  open(): Promise<VmFleet>;
  /** VMs that are there, whose agents reported once. */
  add(vms: readonly VmRef[], report: VmReport): Promise<void>;
  /** The agent of a VM reports. */
  report(vm: VmRef, report: VmReport): Promise<void>;
  /** A VM is gone for good; all learn that it is. */
  end(vm: VmRef): Promise<void>;
  /** What has the tags answers no more. */
  breakOff(): Promise<void>;
  fix(): Promise<void>;
  /** From now on a right is missing to set tags. */
  refuse(): Promise<void>;
  /** The bus loses all its data. */
  wipe(): Promise<void>;
  /** Another client writes a key and a value into KV `vms`. */
  scribble(key: string, value: string): Promise<void>;
  /** Lets this much time pass for the processes. */
  pass(ms: number): Promise<void>;
}

export const report: VmReport = {
  at: "2026-01-01T00:00:00.000Z",
  agent: "0.1.0",
  address: "10.0.0.1",
  tag: null,
  revision: "1-24-5",
  attempted: null,
  inProgress: false,
  ready: true,
  code: "UpToDate",
  message: "1-24-5 runs",
};

/** A VM of the group `ledger` in the namespace `payments`. */
export function makeVm(bench: VmBench, number: number, namespace = "payments", group = "ledger"): VmRef {
  return { group: { cluster: bench.cluster, namespace, name: group }, name: bench.name(number) };
}

/** A process that follows until the test ends. */
export async function openFor(bench: VmBench): Promise<VmFleet> {
  const fleet = await bench.open();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  await fleet.start(() => undefined, stop.signal);
  return fleet;
}

/** Lets time pass until the newest list is as wanted. */
export async function waitForList(
  bench: VmBench,
  fleet: VmFleet,
  check: (list: VmList) => void,
  stepMs = 1000,
): Promise<void> {
  await vi.waitFor(
    async () => {
      await bench.pass(stepMs);
      check(fleet.list());
    },
    { timeout: 20_000, interval: 10 },
  );
}

/** A process that has read everything. */
export async function openFresh(bench: VmBench): Promise<VmFleet> {
  const fleet = await openFor(bench);
  await waitForList(bench, fleet, ({ fresh }) => expect(fresh).toBe(true));
  return fleet;
}
