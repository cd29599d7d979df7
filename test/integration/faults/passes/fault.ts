import { deepStrictEqual } from "node:assert/strict";

import type { FleetStatus } from "#libs/plan";

import { RealFleet } from "../../fleet/real-fleet.ts";
import type { Lane } from "./lane.ts";
import { drawPhase, observe, type Observer, type Phase, printPhase, untilPhase } from "./phase.ts";
import { createRandom } from "./random.ts";
import { file, openShop, readEnd, type ShopKind, undisturbed } from "./shop.ts";

/** What a fault can use during one pass. */
export interface PassTools {
  readonly fleet: RealFleet;
  readonly lane: Lane;
  readonly random: () => number;
  readonly observer: Observer;
  /** Creates the shop and starts all services. */
  open(kind: ShopKind): Promise<void>;
  /** The same in two steps: the shop first, then the services with additional environment. */
  prepare(kind: ShopKind): Promise<void>;
  startAll(env?: Readonly<Record<string, string>>): Promise<void>;
  /** Reports the longest pause of an undisturbed run, real ms. */
  paused(ms: number): void;
  /** Waits for the moment of this pass. */
  reach(): Promise<void>;
  /** Begins to measure a time by this name; the returned function ends it. It is printed. */
  measure(what: string): () => void;
  /** Waits until the planner sees the cluster. */
  untilSeen(): Promise<void>;
  /** Waits until `meshroll status` names one of these causes, among its waits or its clusters' problems. */
  readonly untilNamed: (...codes: readonly string[]) => Promise<void>;
  /** The cause is gone from now on; recovery is measured from here. */
  fixed(): void;
  /** Checks that the runs end as they do without a fault. */
  endsUndisturbed(kind: ShopKind): Promise<void>;
}

export interface Fault {
  /** Words that need no quotes in a shell. */
  readonly name: string;
  /** What is shown. */
  readonly shows: string;
  /** One pass is part of `npm test`, too. */
  readonly inTests?: true;
  /**
   * Recovery may take this many times the longest pause between two signs of progress of an undisturbed run next to it; default
   * 5. More where a timeout of ours has to pass first.
   */
  readonly recovery?: number;
  /**
   * The longest time that each of its measurements may take, by name, real ms; in proportion longer where the undisturbed run
   * pauses for longer.
   */
  readonly limitsMs?: Readonly<Record<string, number>>;
  play(tools: PassTools): Promise<void>;
}

export interface Pass {
  readonly fault: string;
  readonly seed: number;
  readonly phase: string;
  /** From the end of the cause to the first progress, real ms; undefined where none is expected. */
  readonly recoveryMs?: number;
  /** Of a pass without a fault: the longest time without any progress, real ms. */
  readonly pauseMs?: number;
  readonly tookMs: number;
  /** The times that the fault measured, real ms. */
  readonly figures: Readonly<Record<string, number>>;
  /** Absent = passed. */
  readonly problem?: string;
}

/** Watches an undisturbed run; the returned function gives the longest time without progress, real ms. */
function watchPauses(observer: Observer): () => number {
  let [longest, since, seen] = [0, performance.now(), observer.progress()];
  const timer = setInterval(() => {
    const [now, progress] = [performance.now(), observer.progress()];
    if (progress === seen) return;
    longest = Math.max(longest, now - since);
    [since, seen] = [now, progress];
  }, 25);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

/** Measures the time to the first progress after the cause is gone. */
function measureRecovery(fleet: RealFleet, observer: Observer) {
  let recoveryMs: number | undefined;
  return {
    read: () => recoveryMs,
    start: () => {
      const from = performance.now();
      const before = observer.progress();
      void fleet
        .until("it goes on", () => observer.progress() !== before, 60_000)
        .then(() => (recoveryMs = performance.now() - from))
        .catch(() => undefined);
    },
  };
}

/** True when a wait has one of these codes, or a problem that an executor reports begins with one. */
function isNamed(status: FleetStatus | undefined, codes: readonly string[]): boolean {
  const problems = status?.clusters.flatMap((each) => each.problems) ?? [];
  const waits = status?.waiting ?? [];
  return codes.some(
    (code) => waits.some((each) => each.code === code) || problems.some((each) => each.startsWith(`${code}: `)),
  );
}

function makeTools(fleet: RealFleet, lane: Lane, random: () => number, phase: Phase) {
  const figures: Record<string, number> = {};
  let observer: Observer | undefined;
  let recovery: ReturnType<typeof measureRecovery> | undefined;
  let pauseMs: number | undefined;
  const getObserver = (): Observer => {
    observer ??= observe(fleet);
    return observer;
  };
  const tools: PassTools = {
    fleet,
    lane,
    random,
    get observer() {
      return getObserver();
    },
    async open(kind) {
      await tools.prepare(kind);
      await tools.startAll();
    },
    prepare: async (kind) => openShop(fleet, kind),
    async startAll(env = {}) {
      fleet.startService("executor", { env });
      fleet.startService("planner", { env });
      await tools.untilSeen();
    },
    async untilSeen() {
      const isSeen = async () => (await fleet.status())?.clusters[0]?.fresh === true;
      await fleet.until("the planner sees the cluster", isSeen);
      getObserver();
    },
    measure(what) {
      const began = performance.now();
      return () => void (figures[what] = performance.now() - began);
    },
    paused: (ms) => void (pauseMs = ms),
    untilNamed: async (...codes) => {
      await fleet.until(`status names ${codes.join(" or ")}`, async () => isNamed(await fleet.status(), codes));
    },
    reach: async () => untilPhase(fleet, getObserver(), phase),
    fixed() {
      recovery = measureRecovery(fleet, getObserver());
      recovery.start();
    },
    async endsUndisturbed(kind) {
      await fleet.untilRunEnds(1);
      deepStrictEqual(await readEnd(fleet), undisturbed[kind]);
    },
  };
  return { tools, figures, recoveryMs: () => recovery?.read(), pauseMs: () => pauseMs };
}

function describeProblem(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Plays one fault once. When it fails, its evidence and what is needed to play it again are kept. */
export async function playFault(fault: Fault, lane: Lane, seed: number): Promise<Pass> {
  const random = createRandom(seed);
  const phase = drawPhase(random);
  const began = performance.now();
  await lane.renew();
  const fleet = new RealFleet(lane, "one", 30);
  const { tools, figures, recoveryMs, pauseMs } = makeTools(fleet, lane, random, phase);
  let problem: string | undefined;
  try {
    await fault.play(tools);
    await fleet.end();
  } catch (error) {
    problem = `${describeProblem(error)}\nlogs: ${fleet.folder}`;
    await fleet.close();
  }
  const [recovered, paused] = [recoveryMs(), pauseMs()];
  return {
    fault: fault.name,
    seed,
    phase: printPhase(phase),
    tookMs: performance.now() - began,
    figures,
    ...(recovered === undefined ? {} : { recoveryMs: recovered }),
    ...(paused === undefined ? {} : { pauseMs: paused }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** A merge of all workloads without a fault: the others are compared with its end and its pauses. */
export async function playNothing(tools: PassTools): Promise<void> {
  await tools.open("withBad");
  await tools.fleet.merge({ "rollouts.yml": file(100) });
  await tools.fleet.until("it begins", () => tools.observer.count("write") > 0);
  const end = watchPauses(tools.observer);
  try {
    await tools.endsUndisturbed("withBad");
  } finally {
    tools.paused(end());
  }
}

/** A merge of all workloads with a fault in the middle, and the same end as without it. */
export function inTheMiddle(kind: ShopKind, disturb: (tools: PassTools) => Promise<void>): Fault["play"] {
  return async (tools) => {
    await tools.open(kind);
    await tools.fleet.merge({ "rollouts.yml": file(100) });
    await tools.reach();
    await disturb(tools);
    tools.fixed();
    await tools.endsUndisturbed(kind);
  };
}
