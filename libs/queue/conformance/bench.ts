import { onTestFinished } from "vitest";

import type { BatchQueue, BatchWorker, HeldBatch, ServeBatches } from "../port.ts";

export interface TestJob {
  readonly run: string;
}

/** A queue server that a test controls. */
export interface Bench {
  open(): BatchQueue<TestJob>;
  /** A client of another installation on the same server. */
  openOther(): BatchQueue<TestJob>;
  readonly serve: ServeBatches<TestJob>;
  /** Makes the server unreachable. */
  breakOff(): Promise<void>;
  /** Makes it reachable again, with its data. */
  fix(): Promise<void>;
  /** Makes it refuse new jobs until `makeRoom`. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  /** Deletes all its data while it runs. */
  flush(): Promise<void>;
}

/** A queue that is closed at the end of the test. */
export function openFor(bench: Bench): BatchQueue<TestJob> {
  const queue = bench.open();
  onTestFinished(async () => queue.close());
  return queue;
}

/** A batch that a test got; the test decides how it ends. */
export interface Given extends HeldBatch<TestJob> {
  finish(): void;
  fail(why: string): void;
}

/** A worker whose batches wait until the test ends them, or their signal does. */
export interface Hands {
  readonly given: readonly Given[];
  readonly worker: BatchWorker;
  /** The number of handlers that have ended. */
  ended(): number;
}

/** Serves one cluster until the end of the test. */
export function startHands({ serve }: Bench, cluster: string): Hands {
  const given: Given[] = [];
  let ended = 0;
  const worker = serve(cluster, async (held) => {
    try {
      await new Promise<void>((resolve, reject) => {
        held.signal.addEventListener("abort", () => reject(held.signal.reason as Error));
        given.push({ ...held, finish: resolve, fail: (why) => reject(new Error(why)) });
      });
    } finally {
      ended++;
    }
  });
  onTestFinished(async () => worker.close());
  return { given, worker, ended: () => ended };
}
