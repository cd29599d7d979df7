import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** Results of the requests so far. */
export interface Tally {
  readonly answered: number;
  readonly failed: number;
  /** Number of failures by their name. */
  readonly faults: Readonly<Record<string, number>>;
  readonly slowestMs: number;
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

/** A load, and what stops it at once. */
export interface OpenLoad extends Load {
  terminate(): Promise<void>;
}

/** Starts this many clients for each target; each waits `thinkMs` after an answer. */
export function openLoad(targets: readonly Target[], clients: number, thinkMs = 0): OpenLoad {
  const worker = new Worker(new URL("load.ts", import.meta.url), { workerData: { targets, clients, thinkMs } });
  const ask = async (message: "tally" | "end"): Promise<Tally> => {
    worker.postMessage(message);
    const [tally] = (await once(worker, "message")) as [Tally];
    return tally;
  };
  return {
    read: async () => ask("tally"),
    end: async () => ask("end"),
    terminate: async () => void (await worker.terminate()),
  };
}
