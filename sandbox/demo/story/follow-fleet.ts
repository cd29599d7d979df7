import type { Bus } from "#libs/bus";
import { type Event, readEvent } from "#libs/events";
import type { FleetStatus } from "#libs/plan";

/** Reads what any watcher of the bus can read: the planner's status in KV and the messages of the stream. */
export interface FleetWatch {
  /** The newest status; undefined before the first. */
  status(): FleetStatus | undefined;
  /** Resolves with the first status, the newest included, for which it holds; rejects when the signal aborts. */
  until(isTrue: (status: FleetStatus) => boolean, signal: AbortSignal): Promise<FleetStatus>;
}

export interface FleetListener {
  onStatus(status: FleetStatus): void;
  onEvent(event: Event): void;
}

/** Watches bucket and stream until the signal aborts, also across a wipe of the bus. */
export async function followFleet(bus: Bus, listener: FleetListener, signal: AbortSignal): Promise<FleetWatch> {
  let newest: FleetStatus | undefined;
  const waiting = new Set<(status: FleetStatus) => void>();
  const watcher = {
    onEntry({ value }: { readonly value?: string }) {
      if (value === undefined) return;
      newest = JSON.parse(value) as FleetStatus;
      listener.onStatus(newest);
      for (const check of waiting) check(newest);
    },
    onReady: () => undefined,
    onReset: () => undefined,
  };
  await bus.bucket("status").watch("fleet", watcher, signal);
  const onMessage = (_subject: string, body: string): void => {
    const event = readEvent(body);
    if (event !== undefined) listener.onEvent(event);
  };
  await bus.listen("meshroll.v1.>", onMessage, signal);
  return {
    status: () => newest,
    until: async (isTrue, stop) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          waiting.delete(check);
          stop.removeEventListener("abort", abort);
        };
        const check = (status: FleetStatus): void => {
          if (!isTrue(status)) return;
          end();
          resolve(status);
        };
        const abort = (): void => {
          end();
          reject(stop.reason as Error);
        };
        if (stop.aborted) return abort();
        stop.addEventListener("abort", abort);
        waiting.add(check);
        if (newest !== undefined) check(newest);
      }),
  };
}
