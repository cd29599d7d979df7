import { ok } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

import { readControlState } from "#libs/events";

import { listUnnamed } from "../../../flow/standstills/list-unnamed.ts";
import type { RealFleet } from "../../fleet/real-fleet.ts";

/** Executors move nothing 30 s after the last beat that they saw, real ms. */
const longestPauseMs = 25_000;
/** So long may an open run stand before a wait names it: the status is written each reconcile, real ms. */
const unnamedMs = 15_000;
const lookEveryMs = 250;
/** So much may the planner grow by what others wrote, bytes. */
const mostGrowth = 256 << 20;
/** The judge has a heap of 512 MiB, and git 1 GiB of address space: more than these next to the planner is a leak, bytes. */
const mostOfChildren = 1536 << 20;

/** What of a process and of all that it started is not on disk, bytes. */
interface Memory {
  readonly own: number;
  readonly children: number;
}

/** 0 for one that is gone. */
function readResident(pid: number): number {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0;
    return Number(kib) * 1024;
  } catch {
    // It ended between the list and this look.
    return 0;
  }
}

function listChildren(pid: number): readonly number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const lists = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8"));
    return lists.flatMap((each) => each.split(" ").filter(Boolean).map(Number));
  } catch {
    // It ended between two looks.
    return [];
  }
}

function measureBelow(pid: number): number {
  return listChildren(pid).reduce((sum, child) => sum + readResident(child) + measureBelow(child), 0);
}

function readMemory(pid: number): Memory {
  return { own: readResident(pid), children: measureBelow(pid) };
}

/** What the planner did while it was watched. */
class PlannerWatch {
  readonly #fleet: RealFleet;
  readonly #pid: number;
  readonly #first: number;
  readonly #unnamedSince = new Map<string, number>();
  readonly #unnamed = new Set<string>();
  #most: Memory = { own: 0, children: 0 };
  #beat = { text: "", since: performance.now() };
  #longest = 0;

  constructor(fleet: RealFleet, pid: number) {
    this.#fleet = fleet;
    this.#pid = pid;
    this.#first = readResident(pid);
  }

  /** One look at all of it. */
  async look(): Promise<void> {
    const { own, children } = readMemory(this.#pid);
    this.#most = { own: Math.max(own, this.#most.own), children: Math.max(children, this.#most.children) };
    const state = await this.#fleet.bus.bucket("control").get("state");
    const text = readControlState(state?.value ?? "")?.beat ?? "";
    this.#longest = Math.max(this.#longest, performance.now() - this.#beat.since);
    if (text !== this.#beat.text) this.#beat = { text, since: performance.now() };
    const status = await this.#fleet.status();
    this.#note(listUnnamed(await this.#fleet.ledger(), status));
  }

  #note(unnamed: readonly string[]): void {
    for (const known of this.#unnamedSince.keys()) if (!unnamed.includes(known)) this.#unnamedSince.delete(known);
    for (const each of unnamed) {
      const since = this.#unnamedSince.get(each) ?? performance.now();
      this.#unnamedSince.set(each, since);
      if (performance.now() - since > unnamedMs) this.#unnamed.add(each);
    }
  }

  /** Throws what was not as it must be; answers figures: the longest time between two beats, real ms. */
  judge(): number {
    const mib = (bytes: number): string => `${Math.round(bytes / (1 << 20))} MiB`;
    const { own, children } = this.#most;
    ok(this.#longest < longestPauseMs, `the planner's beat paused for ${Math.round(this.#longest)} ms`);
    ok(own - this.#first <= mostGrowth, `the planner grew by ${mib(own - this.#first)}, to ${mib(own)}`);
    ok(children <= mostOfChildren, `what the planner started took ${mib(children)}`);
    ok(this.#unnamed.size === 0, `nothing moved, and no wait of status named it: ${[...this.#unnamed].join(", ")}`);
    return this.#longest;
  }
}

/** Watches the planner from now on; the answer ends that, and judges. */
export function watchPlanner(fleet: RealFleet): () => Promise<number> {
  const planner = fleet.services.get("planner");
  if (planner === undefined) throw new Error("no planner was started");
  const watch = new PlannerWatch(fleet, planner.pid);
  let hasEnded = false;
  void planner.ended.then(() => (hasEnded = true));
  let isWatching = true;
  const looks = (async () => {
    while (isWatching) {
      await watch.look();
      await new Promise((resolve) => void setTimeout(resolve, lookEveryMs));
    }
  })();
  // Its error is thrown at the end, by who waits for it.
  looks.catch(() => undefined);
  return async () => {
    isWatching = false;
    await looks;
    ok(!hasEnded, "the planner lived through all of it");
    return watch.judge();
  };
}
