import type { KeyValue } from "#libs/bus";
import { chooseFormat, type ControlState, readAsk, readControlState } from "#libs/events";
import type { Ask } from "#libs/plan";
import type { Clock } from "#libs/runtime";
import { isDeepStrictEqual } from "node:util";

/** `state` must have changed within so long by this process's own clock, real ms (rules 7.2). */
const freshMs = 30_000;

/**
 * A stop or rollback that left the bus counts so long on, real ms, where this process cannot read the ledger that recorded it:
 * a lift is known from the ledger alone (rules 7.2).
 */
const keptMs = 10 * 60_000;

/** What KV `control` says, as this process saw it. */
export interface ControlView {
  state(): ControlState | undefined;
  /** Seeded, and seen to change within 30 s. */
  isFresh(): boolean;
  /** The version to write in: what every process alive reads. */
  readonly format: () => number;
  /** Those that stand, and stops and rollbacks that were taken off the bus a short while ago. */
  asks(): readonly Ask[];
}

/** What left the bus of late. */
interface LeftAsk {
  readonly ask: Ask;
  /** Real monotonic ms. */
  readonly at: number;
}

/** Follows KV `control`; a bucket that was wiped is unknown until the planner seeds it again. */
export async function followControl(
  control: KeyValue,
  clock: Clock,
  onChange: () => void,
  signal: AbortSignal,
): Promise<ControlView> {
  const asks = new Map<string, Ask>();
  const left = new Map<string, LeftAsk>();
  let state: ControlState | undefined;
  let format = chooseFormat(undefined);
  let isReplaying = true;
  let changedAt = Number.NEGATIVE_INFINITY;

  const isFresh = (): boolean => state?.seeded === true && clock.monotonic() - changedAt <= freshMs;

  /** Answers whether it says more than that the planner lives on. */
  function applyState(text: string | undefined): boolean {
    // What was agreed stays agreed while control is wiped and seeded anew.
    if (text !== undefined) format = chooseFormat(text);
    const before = isFresh() ? state : undefined;
    const next = text === undefined ? undefined : readControlState(text);
    // What is only read back may be hours old: fresh is what this process saw change.
    if (next !== undefined && !isReplaying && next.beat !== state?.beat) changedAt = clock.monotonic();
    state = next;
    return before === undefined || next === undefined || !isDeepStrictEqual({ ...before, beat: next.beat }, next);
  }

  function applyAsk(key: string, text: string | undefined): void {
    const read = text === undefined ? undefined : readAsk(key, text);
    const before = asks.get(key);
    asks.delete(key);
    left.delete(key);
    if (read?.ok === true) asks.set(key, read.ask);
    else if (before?.verb === "stop" || before?.verb === "rollback")
      left.set(key, { ask: before, at: clock.monotonic() });
  }

  function listAsks(): readonly Ask[] {
    for (const [key, { at }] of left) if (clock.monotonic() - at > keptMs) left.delete(key);
    return [...asks.values(), ...[...left.values()].map(({ ask }) => ask)];
  }

  const watcher = {
    onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
      // A beat alone comes each two seconds: nothing is looked at anew for it.
      const isNews = key !== "state" || applyState(value);
      if (key.startsWith("ask.")) applyAsk(key, value);
      if (isNews) onChange();
    },
    onReady() {
      isReplaying = false;
      onChange();
    },
    onReset() {
      isReplaying = true;
      asks.clear();
      state = undefined;
      onChange();
    },
  };
  await control.watch(">", watcher, signal);
  return {
    state: () => state,
    isFresh,
    format: () => format,
    asks: listAsks,
  };
}
