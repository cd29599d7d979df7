import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

import { expect } from "vitest";

import { createFailingDisk } from "./disk/test-power-cut.ts";
import { isSlotWhole, readCurrent } from "./slots/slots.ts";
import { copyDisk, makeStore, makeVm, openQuickDisk, rememberOffers, type TestVm } from "./test-vm.ts";

/** The same numbers each time, so that a failure can be repeated. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Scenario {
  readonly name: string;
  /** The revision that is installed before. */
  readonly before: string | undefined;
  readonly tag: string;
  /** A revision that never becomes ready. */
  readonly bad?: string;
  /** What runs in the end, and what the agent reports. */
  readonly wantRevision: string;
  readonly wantCode: string;
}

const scenarios: readonly Scenario[] = [
  { name: "first install", before: undefined, tag: "1-24-5", wantRevision: "1-24-5", wantCode: "UpToDate" },
  { name: "upgrade", before: "1-24-5", tag: "1-25-2", wantRevision: "1-25-2", wantCode: "UpToDate" },
  { name: "rollback", before: "1-25-2", tag: "1-24-5", wantRevision: "1-24-5", wantCode: "UpToDate" },
  { name: "way back", before: "1-24-5", tag: "1-25-2", bad: "1-25-2", wantRevision: "1-24-5", wantCode: "Quarantined" },
];

/** What disks had after cuts: no tree, the old or the new one, or something else. */
export interface CutTally {
  none: number;
  old: number;
  new: number;
  mixed: number;
}

interface Bench {
  readonly base: string;
  readonly digests: ReadonlyMap<string, string>;
  readonly random: () => number;
  open(scenario: Scenario, root: string): TestVm;
}

async function prepare(base: string, random: () => number): Promise<Bench> {
  const store = makeStore(base);
  const digests = new Map(["1-24-5", "1-25-2"].map((revision) => [revision, store.publish(revision)]));
  const offers = rememberOffers(store.folder);
  for (const before of ["empty", "1-24-5", "1-25-2"]) {
    const root = join(base, `template-${before}`);
    mkdirSync(root);
    const vm = makeVm(root, store, offers);
    vm.tag = before === "empty" ? undefined : before;
    await vm.settle(vm.start());
  }
  return {
    base,
    digests,
    random,
    open({ before = "empty", tag, bad }, root) {
      copyDisk(join(base, `template-${before}`), root);
      const vm = makeVm(root, store, offers);
      vm.tag = tag;
      const installed = digests.get(before);
      if (installed !== undefined) vm.proxies.adopt(installed);
      if (bad !== undefined) vm.proxies.unready.add(digests.get(bad) ?? "");
      return vm;
    },
  };
}

/** What the disk has, judged by hashes only. */
async function judge({ digests }: Bench, vm: TestVm, { before, tag }: Scenario): Promise<keyof CutTally> {
  const disk = openQuickDisk();
  const live = await readCurrent(disk, vm.places);
  if (live === undefined)
    return before === undefined && (await disk.stat(vm.places.current)) === undefined ? "none" : "mixed";
  if (!(await isSlotWhole(disk, vm.places, live)) || ![...digests.values()].includes(live)) return "mixed";
  return live === digests.get(tag) ? "new" : "old";
}

/** What an agent's whole work costs, in which cuts can be placed. */
interface Cost {
  readonly spent: number;
  readonly steps: readonly number[];
}

/** Runs an agent until its power is cut, or to its end; returns the cost. */
async function runUntilCut({ base, random }: Bench, vm: TestVm, budget: number): Promise<Cost & { isCut: boolean }> {
  const graveyard = mkdtempSync(join(base, "graveyard-"));
  const disk = createFailingDisk(openQuickDisk(), budget, graveyard, random);
  const agent = vm.start(disk);
  for (let turns = 0; turns < 80 && !disk.isCut(); turns += 1) await vm.settle(agent, 1);
  if (disk.isCut()) {
    await disk.loseUnsynced();
    vm.proxies.endAll();
    vm.boot = `boot-${random()}`;
  }
  rmSync(graveyard, { recursive: true });
  return { isCut: disk.isCut(), spent: disk.spent(), steps: disk.steps() };
}

async function expectEnd(
  { digests }: Bench,
  vm: TestVm,
  { name, wantRevision, wantCode }: Scenario,
  done: number,
): Promise<void> {
  const report = await vm.settle(vm.start(), 120);
  const got = { revision: report?.revision, code: report?.reason.code };
  expect(got, `${name}, after cut ${done}`).toEqual({ revision: wantRevision, code: wantCode });
  const disk = openQuickDisk();
  const live = await readCurrent(disk, vm.places);
  expect(live).toBe(digests.get(wantRevision));
  expect(await isSlotWhole(disk, vm.places, live ?? "")).toBe(true);
}

/**
 * Cuts the power this often, at random bytes or between two changes of names, during installs, upgrades, rollbacks and ways
 * back, sometimes once more while the next agent continues, and lets an agent finish each. Returns what the disks had right
 * after the cuts.
 */
export async function cutPowerOften(base: string, cuts: number, seed: number): Promise<CutTally> {
  const bench = await prepare(base, makeRandom(seed));
  const { random } = bench;
  const costs: Cost[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const vm = bench.open(scenario, join(base, `whole-${index}`));
    costs.push(await runUntilCut(bench, vm, Number.POSITIVE_INFINITY));
  }
  const tally: CutTally = { none: 0, old: 0, new: 0, mixed: 0 };
  // Most of the cost is bytes, so every second cut is placed between two names, which are few.
  const choose = ({ spent, steps }: Cost): number =>
    random() < 0.5 ? Math.floor(random() * spent) : (steps[Math.floor(random() * steps.length)] ?? 0);
  const cut = async (vm: TestVm, scenario: Scenario, cost: Cost): Promise<number> => {
    const { isCut } = await runUntilCut(bench, vm, choose(cost));
    if (isCut) tally[await judge(bench, vm, scenario)] += 1;
    return isCut ? 1 : 0;
  };
  const none: Cost = { spent: 0, steps: [] };
  let done = 0;
  for (let index = 0; done < cuts; index = (index + 1) % scenarios.length) {
    const scenario = scenarios[index] ?? scenarios[0];
    if (scenario === undefined) break;
    const root = join(base, "vm");
    const vm = bench.open(scenario, root);
    done += await cut(vm, scenario, costs[index] ?? none);
    if (random() < 0.3) done += await cut(vm, scenario, costs[index] ?? none);
    await expectEnd(bench, vm, scenario, done);
    rmSync(root, { recursive: true });
  }
  return tally;
}
