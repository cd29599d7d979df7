import { deepStrictEqual } from "node:assert/strict";

import type { FleetStatus } from "#libs/plan";

import { RealFleet } from "../../fleet/real-fleet.ts";
import type { Lane } from "./lane.ts";
import { drawPhase, observe, type Observer, type Phase, printPhase, untilPhase } from "./phase.ts";
import { createRandom } from "./random.ts";
import { file, openShop, readEnd, type ShopKind, undisturbed } from "./shop.ts";

/** What one pass of a fault has in its hands. */
export interface Stage {
  readonly fleet: RealFleet;
  readonly lane: Lane;
  readonly random: () => number;
  readonly observer: Observer;
  /** Opens the shop and starts everything. */
  open(kind: ShopKind): Promise<void>;
  /** The same in two steps: the snapshot first, then the services with some environment besides the usual. */
  prepare(kind: ShopKind): Promise<void>;
  startAll(env?: Readonly<Record<string, string>>): Promise<void>;
  /** Says how long the longest pause of an undisturbed run was, real ms. */
  paused(ms: number): void;
  /** Waits for the moment of this pass. */
  reach(): Promise<void>;
  /** Begins to take the time of something, by name; the answer ends it. It is printed. */
  measure(what: string): () => void;
  /** Waits until the planner sees the cluster. */
  untilSeen(): Promise<void>;
  /** Waits until `meshroll status` names one of these causes of a standstill, among its waits or its clusters' problems. */
  readonly untilNamed: (...codes: readonly string[]) => Promise<void>;
  /** The cause is gone from now on: what follows is recovery. */
  fixed(): void;
  /** Runs end as they do when nothing happens. */
  endsUndisturbed(kind: ShopKind): Promise<void>;
}

export interface Fault {
  /** Words that a shell needs no quotes for. */
  readonly name: string;
  /** What is shown. */
  readonly shows: string;
  /** Once in `npm test`, too. */
  readonly inTests?: true;
  /**
   * Recovery may take so many times the longest pause between two signs of work of an undisturbed run next to it; default 5. More
   * where a time limit of ours has to pass first.
   */
  readonly recovery?: number;
  /** What it measures, by name, may take so long, real ms; on a machine whose undisturbed run pauses for longer, in proportion. */
  readonly limitsMs?: Readonly<Record<string, number>>;
  play(stage: Stage): Promise<void>;
}

export interface Pass {
  readonly fault: string;
  readonly seed: number;
  readonly phase: string;
  /** From when the cause was gone until anything went on, real ms; undefined where nothing has to. */
  readonly recoveryMs?: number;
  /** Of a pass without a fault: the longest time without any sign of work, real ms. */
  readonly pauseMs?: number;
  readonly tookMs: number;
  /** What the fault took the time of, real ms. */
  readonly figures: Readonly<Record<string, number>>;
  /** Absent = passed. */
  readonly problem?: string;
}

/** Looks on while an undisturbed run goes its way; the answer says what the longest time without a sign of work was, real ms. */
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

/** Looks for the first sign of work after the cause is gone. */
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

/** Among the waits, or what an executor alone knows: its problems begin with their code. */
function isNamed(status: FleetStatus | undefined, codes: readonly string[]): boolean {
  const problems = status?.clusters.flatMap((each) => each.problems) ?? [];
  const waits = status?.waitingFor ?? [];
  return codes.some(
    (code) => waits.some((each) => each.code === code) || problems.some((each) => each.startsWith(`${code}: `)),
  );
}

function makeStage(fleet: RealFleet, lane: Lane, random: () => number, phase: Phase) {
  const figures: Record<string, number> = {};
  let observer: Observer | undefined;
  let recovery: ReturnType<typeof measureRecovery> | undefined;
  let pauseMs: number | undefined;
  const seen = (): Observer => {
    observer ??= observe(fleet);
    return observer;
  };
  const stage: Stage = {
    fleet,
    lane,
    random,
    get observer() {
      return seen();
    },
    async open(kind) {
      await stage.prepare(kind);
      await stage.startAll();
    },
    prepare: async (kind) => openShop(fleet, kind),
    async startAll(env = {}) {
      fleet.startService("executor", { env });
      fleet.startService("planner", { env });
      await stage.untilSeen();
    },
    async untilSeen() {
      const isSeen = async () => (await fleet.status())?.clusters[0]?.fresh === true;
      await fleet.until("the planner sees the cluster", isSeen);
      seen();
    },
    measure(what) {
      const began = performance.now();
      return () => void (figures[what] = performance.now() - began);
    },
    paused: (ms) => void (pauseMs = ms),
    untilNamed: async (...codes) => {
      await fleet.until(`status names ${codes.join(" or ")}`, async () => isNamed(await fleet.status(), codes));
    },
    reach: async () => untilPhase(fleet, seen(), phase),
    fixed() {
      recovery = measureRecovery(fleet, seen());
      recovery.start();
    },
    async endsUndisturbed(kind) {
      await fleet.untilRunEnds(1);
      deepStrictEqual(await readEnd(fleet), undisturbed[kind]);
    },
  };
  return { stage, figures, recoveryMs: () => recovery?.read(), pauseMs: () => pauseMs };
}

function describeProblem(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Plays one fault once. What it needs to be played again, and its evidence, stays when it fails. */
export async function playFault(fault: Fault, lane: Lane, seed: number): Promise<Pass> {
  const random = createRandom(seed);
  const phase = drawPhase(random);
  const began = performance.now();
  await lane.renew();
  const fleet = new RealFleet(lane, "one", 30);
  const { stage, figures, recoveryMs, pauseMs } = makeStage(fleet, lane, random, phase);
  let problem: string | undefined;
  try {
    await fault.play(stage);
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

/** A merge of all workloads and no fault: what the others are compared with, in its end and in its pauses. */
export async function playNothing(stage: Stage): Promise<void> {
  await stage.open("withBad");
  await stage.fleet.merge({ "rollouts.yml": file(100) });
  await stage.fleet.until("it begins", () => stage.observer.count("write") > 0);
  const end = watchPauses(stage.observer);
  try {
    await stage.endsUndisturbed("withBad");
  } finally {
    stage.paused(end());
  }
}

/** A merge of all workloads, a fault in the middle, and the same end as without it. */
export function inTheMiddle(kind: ShopKind, disturb: (stage: Stage) => Promise<void>): Fault["play"] {
  return async (stage) => {
    await stage.open(kind);
    await stage.fleet.merge({ "rollouts.yml": file(100) });
    await stage.reach();
    await disturb(stage);
    stage.fixed();
    await stage.endsUndisturbed(kind);
  };
}
