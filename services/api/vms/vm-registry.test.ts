import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import type { KeyValue } from "#libs/bus";
import { nameVmKey, printVmReport, readVmReport } from "#libs/events";
import type { VmReport } from "#libs/fleet";
import { createLogger } from "#libs/runtime";
import { describe, expect, it, onTestFinished } from "vitest";

import { followVms } from "./vm-registry.ts";

const group = { cluster: "east", namespace: "shop", name: "web" };
const said: VmReport = {
  at: "2026-11-28T12:00:00.000Z",
  agent: "0.2.0",
  address: "10.0.0.7",
  tag: null,
  revision: "1-24-5",
  attempted: null,
  inProgress: false,
  ready: true,
  code: "TagUnset",
  message: "it has no tag",
};

/** `wrap` changes what the api writes to. */
async function openRegistry({ mostVms = 3, wrap = (bucket: KeyValue): KeyValue => bucket } = {}) {
  const clock = createVirtualClock();
  const bus = openFakeBus(createFakeBusServer());
  const bucket = bus.bucket("vms");
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const lines: string[] = [];
  const log = createLogger("api", [], "debug", (line) => void lines.push(line));
  const registry = await followVms({ bus, bucket: wrap(bucket), clock, log, mostVms }, stop.signal);
  await clock.settle();
  const report = async (name: string, more: Partial<VmReport> = {}) => {
    const taken = registry.take({ vm: { group, name }, id: `id-of-${name}` }, { ...said, ...more });
    await clock.settle();
    return taken.kind;
  };
  const read = async (name: string) => (await bucket.get(nameVmKey("reports", { group, name })))?.value;
  return { registry, clock, bucket, report, read, lines };
}

describe("the bound of all VMs", () => {
  it("refuses one more, and still takes those that it knows", async () => {
    const { report } = await openRegistry();
    for (const name of ["a", "b", "c"]) expect(await report(name)).toBe("taken");
    expect(await report("d")).toBe("full");
    expect(await report("a", { ready: false })).toBe("taken");
  });

  it("a VM whose report was deleted leaves its room, once it is silent", async () => {
    const { report, bucket, clock } = await openRegistry();
    for (const name of ["a", "b", "c"]) await report(name);
    await bucket.delete(nameVmKey("reports", { group, name: "b" }));
    await clock.settle();
    expect(await report("d")).toBe("full");
    await clock.advance(90_000);
    expect(await report("d")).toBe("taken");
  });
});

it("VMs that said nothing for thirty days leave their room, and their keys", async () => {
  const { report, bucket, clock } = await openRegistry();
  const old = { at: new Date(clock.now() - 31 * 86_400_000).toISOString() };
  for (const name of ["a", "b", "c"]) await report(name, old);
  expect(await report("d")).toBe("full");
  await clock.advance(90_000);
  expect(await report("d")).toBe("taken");
  await clock.settle();
  expect((await bucket.get(nameVmKey("reports", { group, name: "a" })))?.value).toBeUndefined();
});

describe("reports on the bus", () => {
  it("of another api count: the VM reports there, and the room is taken", async () => {
    const { registry, bucket, clock, report } = await openRegistry({ mostVms: 1 });
    await bucket.put(nameVmKey("reports", { group, name: "a" }), printVmReport(said, "id-of-a"));
    await clock.settle();
    expect(registry.isInUse({ group, name: "a" })).toBe(true);
    expect(await report("b")).toBe("full");
  });

  it.each(["", "{", "[]", '{"version":2}'])("a foreign value %s is as none", async (value) => {
    const { registry, bucket, clock, report } = await openRegistry();
    await bucket.put(nameVmKey("reports", { group, name: "a" }), value);
    await clock.settle();
    expect(registry.isInUse({ group, name: "a" })).toBe(false);
    expect(await report("a")).toBe("taken");
  });

  it("one that was deleted is written again with the next report", async () => {
    const { report, bucket, clock, read } = await openRegistry();
    await report("a");
    await bucket.delete(nameVmKey("reports", { group, name: "a" }));
    await clock.settle();
    await report("a");
    expect(await read("a")).not.toBe(undefined);
  });

  it("a write that fails is done again with the newest report, and named once in the log", async () => {
    let isFailing = true;
    const wrap = (bucket: KeyValue): KeyValue => ({
      ...bucket,
      async put(key, value) {
        if (isFailing) throw new Error("no room");
        return bucket.put(key, value);
      },
    });
    const { report, clock, read, lines } = await openRegistry({ wrap });
    await report("a");
    await clock.advance(3000);
    await report("a", { ready: false });
    isFailing = false;
    await clock.advance(1000);
    expect(readVmReport((await read("a")) ?? "")).toMatchObject({ ready: false });
    expect(lines.filter((line) => line.includes("no room")).length).toBe(1);
  });
});
