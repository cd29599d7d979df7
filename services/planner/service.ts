import type { Bus, KeyValue } from "#libs/bus";
import { type BatchJob, createInventoryFold, type InventoryFold, readAsk } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import { openLedger } from "#libs/ledger";
import { createMainline } from "#libs/mainline";
import { type Ask, describeFleet, type FleetStatus, surveyFleet } from "#libs/plan";
import type { BatchQueue } from "#libs/queue";
import type { Clock, Logger } from "#libs/runtime";

import type { Effects } from "./act.ts";
import type { PlannerMemory, Sources } from "./gather.ts";
import { lookOnce, type PlannerLook } from "./planner.ts";
import { seedControl, seedEveryMs } from "./seed-control.ts";
import { rememberWaiting } from "./waiting-memory.ts";

export interface PlannerParts {
  readonly repository: RolloutsRepository;
  readonly bus: Bus;
  readonly queue: BatchQueue<BatchJob>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Main is fetched at least so often, real ms. */
  readonly gitPollMs: number;
}

/** Changes within so long are one decision, real ms (architecture §3). */
const gatherMs = 100;
/** Without any change the world is looked at so often, real ms: delays end, clusters grow stale. */
const idleMs = 1000;

/** Runs the planner until the signal aborts. Every fault of an outside system is logged and looked at again: it keeps no state to lose. */
export async function runPlanner(parts: PlannerParts, signal: AbortSignal): Promise<void> {
  const { bus, clock, log } = parts;
  const ledger = openLedger(parts.repository);
  const mainline = createMainline(parts.repository, ledger, clock);
  const control = bus.bucket("control");
  const status = bus.bucket("status");
  const inventory = createInventoryFold();
  const asks = new Map<string, Ask>();
  const memory: PlannerMemory = {
    startedAt: clock.now(),
    batchEndedAt: new Map(),
    hadBatch: new Set(),
    waitingSince: new Map(),
  };
  const sources: Sources = { mainline, inventory, asks, queue: parts.queue, clock, memory };
  const effects: Effects = { ledger, mainline, queue: parts.queue, bus, control, clock, log };
  const wake = createWake(clock);

  await followInventory(bus.bucket("inventory"), inventory, clock, wake.now, signal);
  await followAsks(control, asks, wake.now, signal);
  await bus.listen("meshroll.v1.batch.v1.ended", wake.now, signal);

  let fetchedAt = Number.NEGATIVE_INFINITY;
  let seededAt = Number.NEGATIVE_INFINITY;
  let lastStatus = "";
  let beat = 0;
  const self = `${process.pid}-${Math.floor(clock.monotonic())}`;

  async function look(): Promise<void> {
    const hasAsks = [...asks.keys()].length > 0;
    if (clock.monotonic() - fetchedAt >= parts.gitPollMs || hasAsks) {
      await mainline.refresh(signal);
      fetchedAt = clock.monotonic();
    }
    const before = mainline.view()?.ledger?.sequence;
    const seen = await lookOnce(sources, effects);
    if (seen === undefined) return;
    rememberWaiting(memory.waitingSince, seen.world);
    await forgetCarriedOut(control, asks, mainline.view()?.ledger?.asks ?? {});
    const view = mainline.view();
    const isNew = view?.ledger?.sequence !== before;
    if (view !== undefined && (isNew || clock.monotonic() - seededAt >= seedEveryMs)) {
      beat += 1;
      await seedControl(control, view, `${self}-${beat}`);
      seededAt = clock.monotonic();
    }
    lastStatus = await publishStatus(status, seen, lastStatus);
  }

  while (!signal.aborted) {
    try {
      await look();
    } catch (error) {
      // Git, Redis or NATS is down, or somebody else's data is broken: said once per look, and looked at again.
      if (!signal.aborted) log.error({ error }, "the planner's look failed; nothing new starts until it succeeds");
    }
    await wake.wait(idleMs, gatherMs, signal);
  }
}

interface Wake {
  readonly now: () => void;
  wait(longestMs: number, gatherMs: number, signal: AbortSignal): Promise<void>;
}

/** Sleeps until something changed, then a little longer, so that many changes are one look. */
function createWake(clock: Clock): Wake {
  let isAwake = false;
  let interrupt: AbortController | undefined;
  return {
    now() {
      isAwake = true;
      interrupt?.abort();
    },
    async wait(longestMs, gatherFor, signal) {
      if (!isAwake) {
        interrupt = new AbortController();
        await clock.sleepReal(longestMs, AbortSignal.any([signal, interrupt.signal])).catch(() => undefined);
        interrupt = undefined;
      }
      isAwake = false;
      await clock.sleepReal(gatherFor, signal).catch(() => undefined);
    },
  };
}

async function followInventory(
  bucket: KeyValue,
  fold: InventoryFold,
  clock: Clock,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  const watcher = {
    onEntry(entry: { readonly key: string; readonly value?: string }) {
      fold.apply(entry.key, entry.value, clock.monotonic());
      onChange();
    },
    onReady: onChange,
    onReset: () => {
      fold.reset();
    },
  };
  await bucket.watch(">", watcher, signal);
}

async function followAsks(
  control: KeyValue,
  asks: Map<string, Ask>,
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  const watcher = {
    onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
      if (!key.startsWith("ask.")) return;
      const ask = value === undefined ? undefined : readAsk(value);
      if (ask === undefined) asks.delete(key);
      else asks.set(key, ask);
      onChange();
    },
    onReady: onChange,
    onReset: () => {
      asks.clear();
    },
  };
  await control.watch("ask.*", watcher, signal);
}

/** A verb leaves the bus once the ledger knows it: from then on the ledger's record is what counts. */
async function forgetCarriedOut(
  control: KeyValue,
  asks: Map<string, Ask>,
  known: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [key, ask] of asks) {
    if (known[ask.id] === undefined) continue;
    await control.delete(key);
    asks.delete(key);
  }
}

/** One status object for every surface, written when it differs. */
async function publishStatus(bucket: KeyValue, seen: PlannerLook, last: string): Promise<string> {
  const { world, decisions } = seen;
  const head = world.specs.get(world.main.head);
  if (head === undefined) return last;
  const { judged, views } = surveyFleet(world, head);
  const status: FleetStatus = describeFleet(world, head, judged, views, decisions);
  const text = JSON.stringify(status);
  if (text !== last) await bucket.put("fleet", text);
  return text;
}
