import { type FakeEntry, type FakeState, type FakeWorker } from "./fake-server.ts";
import { readMessage } from "../errors.ts";
import { type Hold, holdLock, lockMs } from "../worker/hold-lock.ts";
import type { BatchWorker, HeldBatch } from "../port.ts";

/** What becomes of the job at the handler's end. */
type End = { readonly kind: "done" } | { readonly kind: "failed"; readonly reason: string } | { readonly kind: "back" };

/** Stores the end; does nothing for a worker that lost the lock or cannot reach the server. */
function finish(state: FakeState, worker: FakeWorker, entry: FakeEntry, token: symbol, end: End): void {
  const mayWrite = state.isUp && worker.isAlive && !worker.isCutOff;
  if (!mayWrite || entry.token !== token || state.entries.get(worker.queue) !== entry) return;
  entry.token = undefined;
  switch (end.kind) {
    case "done":
      state.entries.delete(worker.queue);
      return;
    case "failed":
      entry.state = "failed";
      entry.reason = end.reason;
      return;
    case "back":
      entry.state = "waiting";
  }
}

/** A worker process of one queue, in memory. */
export function startFakeWorker(
  state: FakeState,
  queue: string,
  handle: (held: HeldBatch<unknown>) => Promise<void>,
): BatchWorker {
  let hold: Hold | undefined;
  let running: Promise<void> = Promise.resolve();

  async function renew(entry: FakeEntry, token: symbol): Promise<boolean> {
    if (!state.isUp || worker.isCutOff || !worker.isAlive) throw new Error("the queue in memory does not answer");
    if (entry.token !== token || state.entries.get(queue) !== entry) return false;
    entry.lockedUntil = state.clock.monotonic() + lockMs;
    return true;
  }

  async function carryOut(entry: FakeEntry, token: symbol): Promise<End> {
    const own = await holdLock(async () => renew(entry, token), state.clock);
    if (own === undefined || !worker.isAlive) return { kind: "back" };
    hold = own;
    let end: End = { kind: "done" };
    try {
      const isRetaken = entry.taken > 1;
      const { signal } = own;
      await handle({ job: structuredClone(entry.job), isRetaken, signal, holdsLock: () => own.holdsLock() });
    } catch (error) {
      end = { kind: "failed", reason: readMessage(error) };
    } finally {
      own.end();
      hold = undefined;
    }
    return own.signal.aborted ? { kind: "back" } : end;
  }

  const worker: FakeWorker = {
    queue,
    isAlive: true,
    isCutOff: false,
    isBusy: false,
    take(entry) {
      const { token } = entry;
      if (token === undefined) throw new Error("a job is taken with its lock");
      running = carryOut(entry, token).then((end) => {
        finish(state, worker, entry, token, end);
        worker.isBusy = false;
        state.poke(queue);
      });
    },
    die() {
      worker.isAlive = false;
      state.workers.delete(worker);
      hold?.lose("the worker was killed");
    },
  };
  state.workers.add(worker);
  // Asynchronous, because the caller cannot close a worker that it does not have yet.
  queueMicrotask(() => state.poke(queue));
  return {
    async close() {
      // It takes no more jobs, but may still give back the one that it has.
      state.workers.delete(worker);
      hold?.lose("the worker stops");
      await running;
      worker.isAlive = false;
      state.poke(queue);
    },
  };
}
