import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { onTestFinished } from "vitest";

import { type Load, openLoad } from "./open-load.ts";

/** Starts the application that all VMs serve; returns its port. */
export async function startUpstream(): Promise<number> {
  const worker = new Worker(new URL("upstream.ts", import.meta.url));
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = (await once(worker, "message")) as [number];
  return port;
}

/** As `openLoad`, for the time of a test. */
export function startLoad(...asked: Parameters<typeof openLoad>): Load {
  const load = openLoad(...asked);
  onTestFinished(async () => load.terminate());
  return load;
}
