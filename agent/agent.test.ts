import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { readCurrent } from "./slots/slots.ts";
import { makeStore, makeTestFolder, makeVm, openQuickDisk, type TestStore, type TestVm } from "./test-vm.ts";

interface World {
  readonly store: TestStore;
  readonly vm: TestVm;
  readonly old: string;
  readonly next: string;
  /** Sets the tag's revision, and waits until the agent has finished. */
  readonly tag: (revision: string) => Promise<string | undefined>;
}

async function openWorld(): Promise<World> {
  const base = makeTestFolder();
  const store = makeStore(base);
  const [old, next] = [store.publish("1-24-5"), store.publish("1-25-2")];
  const root = join(base, "vm");
  mkdirSync(root);
  const vm = makeVm(root, store);
  const agent = vm.start();
  const tag = async (revision: string): Promise<string | undefined> => {
    vm.tag = revision;
    return (await vm.settle(agent))?.reason.code;
  };
  expect(await tag("1-24-5")).toBe("UpToDate");
  return { store, vm, old, next, tag };
}

const live = async (vm: TestVm) => readCurrent(openQuickDisk(), vm.places);

describe("the agent of a VM", () => {
  it("installs what its tag says, and goes back when the tag does", async () => {
    const { vm, old, next, tag } = await openWorld();
    expect(await tag("1-25-2")).toBe("UpToDate");
    expect(await live(vm)).toBe(next);
    expect(vm.reports.at(-1)).toMatchObject({
      revision: "1-25-2",
      attempted: "1-25-2",
      inProgress: false,
      ready: true,
    });
    expect(await tag("1-24-5")).toBe("UpToDate");
    expect(await live(vm)).toBe(old);
  });

  it("removes rules with the program that made them, before the swap, in both directions", async () => {
    const { vm, old, next, tag } = await openWorld();
    vm.rules.length = 0;
    await tag("1-25-2");
    await tag("1-24-5");
    expect(vm.rules).toEqual([
      { verb: "down", slot: old, live: old },
      { verb: "up", slot: next, live: next },
      { verb: "down", slot: next, live: next },
      { verb: "up", slot: old, live: old },
    ]);
  });

  it("keeps the rules where both revisions have the same program", async () => {
    const { store, vm, tag } = await openWorld();
    store.publish("1-25-3", "1-24-5");
    vm.rules.length = 0;
    await tag("1-25-3");
    expect(vm.rules.map(({ verb }) => verb)).toEqual(["up"]);
  });

  it("goes back from a revision that is not ready in time, remembers it, and does not try it again", async () => {
    const { vm, old, next, tag } = await openWorld();
    vm.proxies.unready.add(next);
    const begun = vm.now;
    expect(await tag("1-25-2")).toBe("Quarantined");
    expect(vm.now - begun).toBeLessThan(60_000);
    expect(await live(vm)).toBe(old);
    expect(vm.reports.at(-1)).toMatchObject({ revision: "1-24-5", attempted: "1-25-2", ready: true });
    const launches = vm.proxies.launched.length;
    expect((await vm.settle(vm.start()))?.reason.code).toBe("Quarantined");
    expect(vm.proxies.launched).toHaveLength(launches);
  });

  it("tries the revision again after a new build of it", async () => {
    const { store, vm, next, tag } = await openWorld();
    vm.proxies.dying.add(next);
    expect(await tag("1-25-2")).toBe("Quarantined");
    const fixed = store.publish("1-25-2", "fixed");
    expect((await vm.settle(vm.start()))?.reason.code).toBe("UpToDate");
    expect(await live(vm)).toBe(fixed);
  });

  it("goes back when rules cannot be made, and makes the old ones again", async () => {
    const { vm, old, next, tag } = await openWorld();
    vm.failRules = (verb, revision) => verb === "up" && revision === "1-25-2";
    vm.rules.length = 0;
    expect(await tag("1-25-2")).toBe("Quarantined");
    expect(vm.rules.map(({ verb, slot }) => [verb, slot])).toEqual([
      ["down", old],
      ["up", next],
      ["down", next],
      ["up", old],
    ]);
  });

  it("runs nothing when the revision before does not start either, until another one is tagged", async () => {
    const { store, vm, old, next, tag } = await openWorld();
    store.publish("1-26-0");
    vm.proxies.dying.add(next);
    vm.proxies.dying.add(old);
    vm.proxies.endAll();
    expect(await tag("1-25-2")).toBe("NothingRuns");
    expect(vm.rules.at(-1)).toMatchObject({ verb: "down" });
    expect(await tag("1-26-0")).toBe("UpToDate");
  });

  it("neither switches nor goes back while the control plane does not answer", async () => {
    const { vm, old, next, tag } = await openWorld();
    vm.controlPlaneAnswers = false;
    expect(await tag("1-25-2")).toBe("ControlPlaneSilent");
    expect(await live(vm)).toBe(old);
    vm.controlPlaneAnswers = true;
    vm.proxies.unready.add(next);
    const agent = vm.start();
    while ((await live(vm)) !== next) await vm.settle(agent, 1);
    vm.controlPlaneAnswers = false;
    expect((await vm.settle(agent, 200))?.reason.code).toBe("ControlPlaneSilent");
    expect(await live(vm)).toBe(next);
    vm.controlPlaneAnswers = true;
    vm.proxies.unready.clear();
    expect((await vm.settle(agent, 200))?.reason.code).toBe("UpToDate");
  });

  it("starts the kept slot after a start of the machine", async () => {
    const { vm, old } = await openWorld();
    vm.proxies.endAll();
    vm.boot = "boot-2";
    await vm.settle(vm.start());
    expect(vm.proxies.launched.at(-1)).toMatchObject({ digest: old, epoch: 0 });
    expect(vm.rules.at(-1)).toMatchObject({ verb: "up", slot: old });
  });

  it.each(["{", '{"formatVersion":1}', "", '{"formatVersion":2,"kept":null}'])(
    "takes the live slot from the disk when its state file says %j",
    async (text) => {
      const { vm, old } = await openWorld();
      writeFileSync(vm.places.state, text);
      expect(await vm.settle(vm.start())).toMatchObject({ revision: "1-24-5", reason: { code: "UpToDate" } });
      expect(await live(vm)).toBe(old);
      expect(readFileSync(`${vm.places.state}.broken`, "utf8")).toBe(text);
    },
  );

  it("fetches a slot again that was changed on the disk", async () => {
    const { vm, next, tag } = await openWorld();
    await tag("1-25-2");
    await tag("1-24-5");
    writeFileSync(join(vm.places.slots, next, "start"), "#!/bin/sh\nexit 1\n");
    expect(await tag("1-25-2")).toBe("UpToDate");
    expect(vm.warned).toContain("the slot is not what was signed: fetched again");
  });

  it("keeps the old revision, and says how much space is missing, when the disk is full", async () => {
    const { vm, old } = await openWorld();
    vm.tag = "1-25-2";
    const report = await vm.settle(vm.start({ ...openQuickDisk(), freeBytes: async () => 1000 }), 5);
    expect(report?.reason).toMatchObject({ code: "DiskFull", free: 1000 });
    expect(await live(vm)).toBe(old);
  });
});
