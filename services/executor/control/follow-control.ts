import type { KeyValue } from "#libs/bus";
import { type ControlState, readRequest, readControlState } from "#libs/events";
import type { VerbRequest } from "#libs/plan";
import type { Clock } from "#libs/runtime";
import { isDeepStrictEqual } from "node:util";

/** `state` must have changed within this time by this process's own clock, real ms (rules 7.2). */
const freshMs = 30_000;

/**
 * A stop or rollback that was removed from the bus still counts for so long, real ms: this process may not have read the ledger
 * that recorded it, and only the ledger says that it was resumed (rules 7.2).
 */
const keptMs = 10 * 60_000;

/** What KV `control` says, as this process saw it. */
export interface ControlView {
  state(): ControlState | undefined;
  /** The planner has seeded it, and it changed within the last 30 s. */
  isFresh(): boolean;
  /** The open requests, and the stops and rollbacks that left the bus less than `keptMs` ago. */
  requests(): readonly VerbRequest[];
}

/** A request that was removed from the bus. */
interface LeftRequest {
  readonly request: VerbRequest;
  /** Real monotonic ms. */
  readonly at: number;
}

/** Watches KV `control`. After a wipe of the bucket its state is undefined until the planner seeds it again. */
export async function followControl(
  control: KeyValue,
  clock: Clock,
  onChange: () => void,
  signal: AbortSignal,
): Promise<ControlView> {
  const requests = new Map<string, VerbRequest>();
  const left = new Map<string, LeftRequest>();
  let state: ControlState | undefined;
  let isReplaying = true;
  let changedAt = Number.NEGATIVE_INFINITY;

  const isFresh = (): boolean => state?.seeded === true && clock.monotonic() - changedAt <= freshMs;

  /** Returns whether more than the beat changed. */
  function applyState(text: string | undefined): boolean {
    const before = isFresh() ? state : undefined;
    const next = text === undefined ? undefined : readControlState(text);
    // Values replayed at the start of the watch may be hours old: only a change that this process saw counts as fresh.
    if (next !== undefined && !isReplaying && next.beat !== state?.beat) changedAt = clock.monotonic();
    state = next;
    return before === undefined || next === undefined || !isDeepStrictEqual({ ...before, beat: next.beat }, next);
  }

  function applyRequest(key: string, text: string | undefined): void {
    const read = text === undefined ? undefined : readRequest(key, text);
    const before = requests.get(key);
    requests.delete(key);
    left.delete(key);
    if (read?.ok === true) requests.set(key, read.request);
    else if (before?.verb === "stop" || before?.verb === "rollback")
      left.set(key, { request: before, at: clock.monotonic() });
  }

  function listRequests(): readonly VerbRequest[] {
    for (const [key, { at }] of left) if (clock.monotonic() - at > keptMs) left.delete(key);
    return [...requests.values(), ...[...left.values()].map(({ request }) => request)];
  }

  const watcher = {
    onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
      // The beat alone changes every two seconds and needs no reconcile.
      const isNews = key !== "state" || applyState(value);
      if (key.startsWith("request.")) applyRequest(key, value);
      if (isNews) onChange();
    },
    onReady() {
      isReplaying = false;
      onChange();
    },
    onReset() {
      isReplaying = true;
      requests.clear();
      state = undefined;
      onChange();
    },
  };
  await control.watch(">", watcher, signal);
  return {
    state: () => state,
    isFresh,
    requests: listRequests,
  };
}
