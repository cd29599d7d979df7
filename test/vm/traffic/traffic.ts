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

export interface Load {
  read(): Promise<Tally>;
  end(): Promise<Tally>;
}

export function startLoad(ports: readonly number[], clients: number): Load {
  const worker = new Worker(new URL("load.ts", import.meta.url), { workerData: { ports, clients } });
  onTestFinished(async () => void (await worker.terminate()));
  const ask = async (message: "tally" | "end"): Promise<Tally> => {
    worker.postMessage(message);
    const [tally] = (await once(worker, "message")) as [Tally];
    return tally;
  };
  return { read: async () => ask("tally"), end: async () => ask("end") };
}
