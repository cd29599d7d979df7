import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { onTestFinished } from "vitest";

/** Results of the requests so far. */
export interface Tally {
  readonly answered: number;
  readonly failed: number;
  /** Number of failures by their name. */
  readonly faults: Readonly<Record<string, number>>;
  readonly slowestMs: number;
}

/** Starts the application that all VMs serve; returns its port. */
export async function startUpstream(): Promise<number> {
  const worker = new Worker(new URL("upstream.ts", import.meta.url));
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = (await once(worker, "message")) as [number];
  return port;
}

/** Names the failures of a load. */
export function describeTally({ answered, failed, faults, slowestMs }: Tally): string {
  const named = Object.entries(faults).map(([name, times]) => `${times} ${name}`);
  const why = named.length === 0 ? "" : ` (${named.join(", ")})`;
  return `${answered + failed} requests, ${failed} failed${why}, slowest ${Math.round(slowestMs)} ms`;
}

export interface Load {
  read(): Promise<Tally>;
  end(): Promise<Tally>;
}

/** What clients ask. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Starts this many clients for each target; each waits `thinkMs` after an answer. */
export function startLoad(targets: readonly Target[], clients: number, thinkMs = 0): Load {
  const worker = new Worker(new URL("load.ts", import.meta.url), { workerData: { targets, clients, thinkMs } });
  onTestFinished(async () => void (await worker.terminate()));
  const ask = async (message: "tally" | "end"): Promise<Tally> => {
    worker.postMessage(message);
    const [tally] = (await once(worker, "message")) as [Tally];
    return tally;
  };
  return { read: async () => ask("tally"), end: async () => ask("end") };
}
