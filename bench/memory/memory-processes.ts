import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import type { Contestant, Reading } from "./memory-reading.ts";

/** A server that dies would leave the one who follows it trying for ever. */
const PATIENCE_MS = 120_000;

const QUIET = "--disable-warning=ExperimentalWarning";

/** An API server in a process of its own. */
export interface ServerProcess {
  readonly kubeconfig: string;
  /** Mean size of an object, bytes of JSON. */
  readonly bytes: { readonly deployment: number; readonly pod: number };
  stop(): void;
}

/** The sandbox's large cluster: started as a program, because only sandbox and tests may import it. */
export async function startServer(workloads: number, podsEach: number): Promise<ServerProcess> {
  const entry = fileURLToPath(new URL("../../sandbox/big-cluster/main.ts", import.meta.url));
  const child = fork(entry, ["--workloads", String(workloads), "--pods", String(podsEach)], { execArgv: [QUIET] });
  const ready = (await receive(child, "the API server")) as Omit<ServerProcess, "stop">;
  return { ...ready, stop: () => child.disconnect() };
}

export async function measureContestant(who: Contestant, kubeconfig: string): Promise<Reading> {
  const entry = fileURLToPath(new URL("./memory-contestant.ts", import.meta.url));
  const child = fork(entry, [who, kubeconfig], { execArgv: [QUIET, "--expose-gc"], timeout: PATIENCE_MS });
  return (await receive(child, who)) as Reading;
}

/** The child's first message; its end before that is a fault of the bench. */
function receive(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`${name} ended early: ${signal ?? code}`)));
  });
}
