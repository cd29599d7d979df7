import type { Bus, KeyValue } from "#libs/bus";
import { type BatchJob, createInventoryFold } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import { openLedger } from "#libs/ledger";
import { createMainline } from "#libs/mainline";
import type { Ask } from "#libs/plan";
import type { BatchQueue } from "#libs/queue";
import type { Clock, Logger } from "#libs/runtime";

import type { Effects } from "./act.ts";
import { answerAsks, followAsks } from "./follow-asks.ts";
import { followInventory } from "./follow-inventory.ts";
import { createMemory, type Sources } from "./gather.ts";
import { lookOnce } from "./planner.ts";
import { createStatusPublisher } from "./publish-status.ts";
import { createControlSeeder } from "./seed-control.ts";
import { rememberWaiting } from "./waiting-memory.ts";
import { createWake } from "./wake.ts";

export interface PlannerParts {
  readonly repository: RolloutsRepository;
  readonly bus: Bus;
  readonly queue: BatchQueue<BatchJob>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Main is fetched at least so often, real ms. */
  readonly gitPollMs: number;
}

/** Without any change the world is looked at so often, real ms: delays end, clusters grow stale. */
const idleMs = 1000;

interface Loop {
  readonly parts: PlannerParts;
  readonly sources: Sources;
  readonly effects: Effects;
  readonly asks: Map<string, Ask>;
  readonly status: KeyValue;
  readonly publish: ReturnType<typeof createStatusPublisher>;
  readonly wake: () => void;
  fetchedAt: number;
  fetching: Promise<void> | undefined;
}

function buildLoop(parts: PlannerParts, wake: () => void): Loop {
  const { bus, clock, log, queue } = parts;
  const ledger = openLedger(parts.repository);
  const mainline = createMainline(parts.repository, ledger, clock);
  const asks = new Map<string, Ask>();
  const [control, status] = [bus.bucket("control"), bus.bucket("status")];
  return {
    parts,
    sources: { mainline, inventory: createInventoryFold(), asks, queue, clock, memory: createMemory(clock) },
    effects: { ledger, mainline, queue, bus, control, clock, log, seed: createControlSeeder(control, clock, log) },
    asks,
    status,
    publish: createStatusPublisher(status, clock),
    wake,
    fetchedAt: Number.NEGATIVE_INFINITY,
    fetching: undefined,
  };
}

/** A look waits no longer than this for a fetch, real ms: a git server that hangs must not silence the planner. */
const fetchWaitMs = 2000;

/** Reads main in the background; without git the last one serves ten minutes, and executors go on being told. */
async function fetchMain({ parts, sources, ...loop }: Loop, signal: AbortSignal): Promise<void> {
  try {
    await sources.mainline.refresh(signal);
  } catch (error) {
    if (!signal.aborted)
      parts.log.warn({ error }, "could not read main: the last one serves until it is ten minutes old");
  }
  loop.wake();
}

/** Starts a fetch when its time has come, and gives it a moment: most are through at once. A verb is judged by the newest main. */
async function refreshMain(loop: Loop, signal: AbortSignal): Promise<void> {
  const { clock, gitPollMs } = loop.parts;
  const isDue = clock.monotonic() - loop.fetchedAt >= gitPollMs || loop.asks.size > 0;
  if (loop.fetching === undefined && isDue) {
    loop.fetchedAt = clock.monotonic();
    loop.fetching = fetchMain(loop, signal).finally(() => (loop.fetching = undefined));
  }
  if (loop.fetching === undefined) return;
  const enough = new AbortController();
  const limit = clock.sleepReal(fetchWaitMs, AbortSignal.any([signal, enough.signal])).catch(() => undefined);
  await Promise.race([loop.fetching, limit]);
  enough.abort();
}

/** One whole look: main, decisions, and what others are told of it. */
async function look(loop: Loop, signal: AbortSignal): Promise<void> {
  const { sources, effects, asks, status } = loop;
  await refreshMain(loop, signal);
  const seen = await lookOnce(sources, effects);
  const view = sources.mainline.view();
  if (seen === undefined || view === undefined) return;
  rememberWaiting(sources.memory.waitingSince, seen.world);
  // A verb leaves the bus only when executors were told of a ledger that has it: no moment without the stop.
  if (await effects.seed(view)) await answerAsks(effects.control, status, asks, view.ledger?.asks ?? {});
  await loop.publish(seen);
}

/** Runs the planner until the signal aborts. It keeps no state to lose: a fault is logged, and the next look starts afresh. */
export async function runPlanner(parts: PlannerParts, signal: AbortSignal): Promise<void> {
  const wake = createWake(parts.clock);
  const loop = buildLoop(parts, wake.now);
  await followInventory(parts.bus.bucket("inventory"), loop.sources.inventory, parts.clock, wake.now, signal);
  await followAsks(loop.effects.control, loop.asks, wake.now, signal);
  await parts.bus.listen("meshroll.v1.batch.v1.ended", wake.now, signal);
  while (!signal.aborted) {
    try {
      await look(loop, signal);
    } catch (error) {
      if (!signal.aborted)
        parts.log.error({ error }, "the planner's look failed; nothing new starts until one succeeds");
    }
    await wake.wait(idleMs, signal);
  }
}
