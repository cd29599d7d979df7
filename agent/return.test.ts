import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { agentConfig } from "./config.ts";
import { readCurrent } from "./slots/slots.ts";
import { makeStore, makeTestFolder, makeVm, openQuickDisk, type TestVm } from "./test-vm.ts";

const defaults = agentConfig.parse({ MESHROLL_AGENT_STORE: "/store" });
const limits = {
  readyWithinMs: defaults.MESHROLL_AGENT_READY_SECONDS * 1000,
  settleMs: defaults.MESHROLL_AGENT_SETTLE_SECONDS * 1000,
};

interface Fault {
  readonly name: string;
  readonly hot: boolean;
  /** Breaks the new revision. */
  readonly plant: (vm: TestVm, next: string) => void;
  readonly wantFailure: string;
  /** Of the new revision, and of the old one unless it ran on. */
  readonly wantLaunches: readonly string[];
}

const [old, next] = ["1-24-5", "1-25-2"];
const hangs: readonly Omit<Fault, "hot" | "wantLaunches">[] = [
  {
    name: "never becomes ready",
    plant: ({ proxies }, digest) => void proxies.unready.add(digest),
    wantFailure: "ProxyNotReady",
  },
  {
    name: "hangs at its start and does not end when asked",
    plant: ({ proxies }, digest) => void proxies.hanging.add(digest),
    wantFailure: "ProxyNotReady",
  },
  {
    name: "has a rules program that hangs at each call",
    plant: (vm) => void (vm.hangRules = (_verb, revision) => revision === next),
    wantFailure: "RulesFailed",
  },
  {
    name: "hangs, and its rules program at its removal",
    plant(vm, digest) {
      vm.proxies.hanging.add(digest);
      vm.hangRules = (verb, revision) => verb === "down" && revision === next;
    },
    wantFailure: "ProxyNotReady",
  },
  {
    name: "hangs, and its rules program at each call",
    plant(vm, digest) {
      vm.proxies.hanging.add(digest);
      vm.hangRules = (_verb, revision) => revision === next;
    },
    wantFailure: "RulesFailed",
  },
];
const faults: readonly Fault[] = hangs.flatMap((fault) =>
  [true, false].map((hot) => ({
    ...fault,
    hot,
    // Where the new one could not take over, the old one never stopped.
    wantLaunches: hot && fault.name.startsWith("hangs") ? [next] : [next, old],
  })),
);

describe("with the default settings", () => {
  it.each(faults)(
    "the old revision is ready again within 60 s of a switch to one that $name (hot: $hot)",
    async (fault) => {
      const base = makeTestFolder();
      const store = makeStore(base);
      const more = fault.hot ? { hotRestart: "11.104" } : {};
      const [before, bad] = [store.publish(old, old, more), store.publish(next, next, more)];
      mkdirSync(join(base, "vm"));
      const vm = makeVm(join(base, "vm"), store);
      vm.limits = { ...vm.limits, ...limits };
      const agent = vm.start();
      vm.tag = old;
      await vm.settle(agent, 200);
      fault.plant(vm, bad);
      vm.proxies.launched.length = 0;
      vm.tag = next;
      const disk = openQuickDisk();
      let begun = vm.now;
      while (vm.proxies.launched.length === 0) {
        begun = vm.now;
        await vm.settle(agent, 1);
      }
      for (let isBack = false; !isBack;) {
        await vm.settle(agent, 1);
        expect(vm.now - begun).toBeLessThanOrEqual(60_000);
        isBack = (await readCurrent(disk, vm.places)) === before && vm.reports.at(-1)?.ready === true;
      }
      expect(vm.proxies.launched.map(({ revision }) => revision)).toEqual(fault.wantLaunches);
      const report = await vm.settle(agent, 200);
      expect(report).toMatchObject({ revision: old, attempted: next, ready: true });
      expect(report?.reason).toMatchObject({ code: "Quarantined", failure: fault.wantFailure });
      expect(vm.rules.at(-1)).toMatchObject({ verb: "up", slot: before, live: before });
    },
  );
});
