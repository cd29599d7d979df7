import type { Clock } from "#libs/runtime";

import { listPages } from "./list-pages.ts";
import { losesPlace, type ReflectorFault } from "./reflector-fault.ts";
import { isAbsent } from "./watched-resources.ts";
import { watchFrom, type WatchOptions } from "./watch-stream.ts";

/** Real times. The defaults suit a real API server; tests use shorter ones. */
export interface ReflectorTiming {
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** Least time between two lists of one collection: lists cost the server most. */
  readonly relistMs: number;
  /** Time until an optional collection that was forbidden is requested again. */
  readonly forbiddenRetryMs: number;
  /** Time until an API that is not installed is looked for again. */
  readonly absentRetryMs: number;
  readonly idleMs: number;
  readonly watchSeconds: number;
}

export const REFLECTOR_TIMING: ReflectorTiming = {
  firstRetryMs: 250,
  longestRetryMs: 30_000,
  relistMs: 5_000,
  forbiddenRetryMs: 60_000,
  absentRetryMs: 300_000,
  // Bookmarks come each 60 s; a watch without one for longer is broken.
  idleMs: 75_000,
  watchSeconds: 300,
};

export interface ReflectorOptions extends Omit<WatchOptions, "idleMs" | "watchSeconds" | "onOpen"> {
  readonly clock: Pick<Clock, "monotonic" | "sleepReal">;
  readonly timing: ReflectorTiming;
  /** In [0, 1). Spreads the returns of executors that lost the same server. */
  readonly random: () => number;
  /** Called after each complete list, and for an optional collection that is forbidden or absent. */
  readonly onListed: () => void;
  readonly onFault: (fault: ReflectorFault) => void;
  /** The API of the collection is not installed, or was removed: nothing is in it. */
  readonly onAbsent: () => void;
  /** Called whenever the collection is read or followed without a fault. */
  readonly onHealthy: () => void;
}

/** After so many watches in a row that ended at once, a new list is made: the server may not accept our resourceVersion. */
const GIVE_UP_VERSION = 3;
const SHORTEST_WATCH_MS = 1_000;

/** Keeps the sink equal to the server's collection until `signal` aborts, through all faults. */
export async function reflect(options: ReflectorOptions): Promise<void> {
  const { signal } = options;
  let version: string | undefined;
  let failures = 0;
  let listedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    if (version === undefined) listedAt = options.clock.monotonic();
    const step = version === undefined ? await list(options) : await watch(options, version);
    if (signal.aborted) return;
    failures = step.progress ? 0 : failures;
    version = step.version;
    if (step.fault === undefined) continue;
    failures++;
    if (failures >= GIVE_UP_VERSION) version = undefined;
    const soonest = version === undefined ? listedAt + options.timing.relistMs - options.clock.monotonic() : 0;
    await recover(options, step.fault, Math.max(soonest, chooseDelay(options, step, failures)));
  }
}

interface Step {
  /** The resourceVersion to watch from; undefined: list first. */
  readonly version: string | undefined;
  /** Something was read, so the pauses after faults start small again. */
  readonly progress: boolean;
  readonly fault?: ReflectorFault;
  /** Of a fault that only a person ends: ms until the collection is asked for again. */
  readonly patienceMs?: number | undefined;
}

async function list(options: ReflectorOptions): Promise<Step> {
  const { connection, resource, sink, signal, onListed, onHealthy, observe } = options;
  const result = await listPages(connection, resource, sink, signal);
  if ("fault" in result) {
    // A forbidden optional collection counts as listed: the executor continues without it, and the problem is reported.
    if (resource.optional && result.fault.kind === "forbidden") onListed();
    if (isAbsent(resource, result.fault.kind)) noteAbsent(options);
    const patienceMs = findPatience(options, result.fault);
    return { version: undefined, progress: false, fault: result.fault, patienceMs };
  }
  observe(result.version);
  onHealthy();
  onListed();
  return { version: result.version, progress: false };
}

function noteAbsent({ onAbsent, onListed }: ReflectorOptions): void {
  onAbsent();
  onListed();
}

async function watch(options: ReflectorOptions, from: string): Promise<Step> {
  const { idleMs, watchSeconds } = options.timing;
  // Spread over half the time, so that watches of many clusters do not end together.
  const seconds = Math.ceil(watchSeconds * (1 - options.random() / 2));
  const began = options.clock.monotonic();
  const result = await watchFrom({ ...options, idleMs, watchSeconds: seconds, onOpen: options.onHealthy }, from);
  const { version, lines } = result;
  const empty = lines === 0 && options.clock.monotonic() - began < SHORTEST_WATCH_MS;
  const fault = result.fault ?? (empty ? describeEmpty(options) : undefined);
  if (fault === undefined) return { version, progress: true };
  // After such a fault the next watch might fail in the same way, so the collection is listed.
  // Of an API that was removed the list says so, and it is asked at once.
  const patienceMs = fault.kind === "unserved" ? undefined : findPatience(options, fault);
  return { version: losesPlace(fault) ? undefined : version, progress: lines > 0, fault, patienceMs };
}

/** A server that ends every watch at once must not be asked again without a pause. */
function describeEmpty({ resource }: ReflectorOptions): ReflectorFault {
  return { resource: resource.name, kind: "cut", why: "the watch ended at once, without an event" };
}

async function recover(options: ReflectorOptions, fault: ReflectorFault, delayMs: number): Promise<void> {
  if (!isAbsent(options.resource, fault.kind)) options.onFault(fault);
  try {
    if (fault.kind === "unauthorized") await options.connection.renew();
    await options.clock.sleepReal(delayMs, options.signal);
    // If the kubeconfig cannot be read, the connection that was read before is used.
    if (fault.kind === "cut") await options.connection.reread().catch(() => undefined);
  } catch (error) {
    if (options.signal.aborted) return;
    // The kubeconfig cannot be read now: wait as after any other fault.
    options.onFault({ resource: fault.resource, kind: "unauthorized", why: String(error) });
    await options.clock.sleepReal(options.timing.longestRetryMs, options.signal).catch(() => undefined);
  }
}

/** Doubles from fault to fault, is at least what the server asked for, and has up to half of it added at random. */
function chooseDelay({ timing, random }: ReflectorOptions, { fault, patienceMs }: Step, failures: number): number {
  const doubled = Math.min(timing.longestRetryMs, timing.firstRetryMs * 2 ** (failures - 1));
  return Math.max(patienceMs ?? doubled, fault?.retryAfterMs ?? 0) * (1 + random() / 2);
}

function findPatience({ timing, resource }: ReflectorOptions, { kind }: ReflectorFault): number | undefined {
  if (kind === "forbidden" && resource.optional) return timing.forbiddenRetryMs;
  return isAbsent(resource, kind) ? timing.absentRetryMs : undefined;
}
