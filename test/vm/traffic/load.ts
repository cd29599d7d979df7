import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

// HTTP clients with kept-alive connections; each sends its next request after an answer. Every request counts, and none is
// repeated.

interface Load {
  readonly ports: readonly number[];
  /** Clients for each port. */
  readonly clients: number;
}

const { ports, clients } = workerData as Load;
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

async function ask(port: number, agent: Agent): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, path: "/", agent }, (response) => {
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
  ports.flatMap((port) => {
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    return Array.from({ length: clients }, async () => {
      while (!isOver) await ask(port, agent);
    });
  }),
);
process.exit(0);
