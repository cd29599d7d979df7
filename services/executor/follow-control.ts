import type { KeyValue } from "#libs/bus";
import { type ControlState, readAsk, readControlState } from "#libs/events";
import type { Ask } from "#libs/plan";
import type { Clock } from "#libs/runtime";

/** `state` must have changed within so long by this process's own clock, real ms (rules 7.2). */
const freshMs = 30_000;

/** What KV `control` says, as this process saw it. */
export interface ControlView {
  state(): ControlState | undefined;
  /** Seeded, and seen to change within 30 s. */
  isFresh(): boolean;
  asks(): readonly Ask[];
}

/** Follows KV `control`; a bucket that was wiped is unknown until the planner seeds it again. */
export async function followControl(
  control: KeyValue,
  clock: Clock,
  onChange: () => void,
  signal: AbortSignal,
): Promise<ControlView> {
  const asks = new Map<string, Ask>();
  let state: ControlState | undefined;
  let isReplaying = true;
  let changedAt = Number.NEGATIVE_INFINITY;

  function applyState(text: string | undefined): void {
    const next = text === undefined ? undefined : readControlState(text);
    if (next === undefined) {
      state = undefined;
      return;
    }
    // What is only read back may be hours old: fresh is what this process saw change.
    if (!isReplaying && next.beat !== state?.beat) changedAt = clock.monotonic();
    state = next;
  }

  function applyAsk(key: string, text: string | undefined): void {
    const read = text === undefined ? undefined : readAsk(key, text);
    if (read?.ok === true) asks.set(key, read.ask);
    else asks.delete(key);
  }

  const watcher = {
    onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
      if (key === "state") applyState(value);
      else if (key.startsWith("ask.")) applyAsk(key, value);
      onChange();
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
    isFresh: () => state?.seeded === true && clock.monotonic() - changedAt <= freshMs,
    asks: () => [...asks.values()],
  };
}
