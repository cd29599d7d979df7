import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

import type { Target } from "./open-load.ts";

// HTTP clients with kept-alive connections; each sends its next request after an answer. Every request counts, and none is
// repeated.

interface Load {
  readonly targets: readonly Target[];
  /** Clients for each target. */
  readonly clients: number;
  /** Ms that a client waits after an answer. */
  readonly thinkMs: number;
}

const { targets, clients, thinkMs } = workerData as Load;
const tally: { answered: number; failed: number; faults: Record<string, number>; slowestMs: number } = {
  answered: 0,
  failed: 0,
  faults: {},
  slowestMs: 0,
};

function fail(name: string): void {
  tally.failed += 1;
  tally.faults[name] = (tally.faults[name] ?? 0) + 1;
}

async function ask({ host, port }: Target, agent: Agent): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const sent = request({ host, port, path: "/", agent }, (response) => {
      response.resume();
      response.once("error", (error: NodeJS.ErrnoException) => {
        fail(`body ${error.code ?? error.message}`);
        resolve();
      });
      response.once("end", () => {
        tally.slowestMs = Math.max(tally.slowestMs, performance.now() - begun);
        if (response.statusCode === 200) tally.answered += 1;
        else fail(`status ${response.statusCode ?? 0}`);
        resolve();
      });
    });
    sent.once("error", (error: NodeJS.ErrnoException) => {
      fail(error.code ?? error.message);
      // A pause after a failure, so that a client that is refused at once does not inflate the count.
      setTimeout(resolve, 5);
    });
    sent.end();
  });
}

let isOver = false;
parentPort?.on("message", (message: "tally" | "end") => {
  if (message === "end") isOver = true;
  parentPort?.postMessage(tally);
});

await Promise.all(
  targets.flatMap((target) => {
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    return Array.from({ length: clients }, async () => {
      while (!isOver) {
        await ask(target, agent);
        if (thinkMs > 0) await sleep(thinkMs);
      }
    });
  }),
);
process.exit(0);
