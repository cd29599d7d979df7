import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import type { Contestant, Reading } from "./memory-reading.ts";

const FLAGS = ["--expose-gc", "--disable-warning=ExperimentalWarning"];

/** An API server in a process of its own. */
export interface ServerProcess {
  readonly kubeconfig: string;
  stop(): void;
}

/** The sandbox's large cluster: started as a program, because nobody but sandbox and tests may import it. */
export async function startServer(workloads: number, podsEach: number): Promise<ServerProcess> {
  const entry = fileURLToPath(new URL("../sandbox/big-cluster/main.ts", import.meta.url));
  const child = fork(entry, ["--workloads", String(workloads), "--pods", String(podsEach)], { execArgv: FLAGS });
  const { kubeconfig } = (await receive(child)) as Pick<ServerProcess, "kubeconfig">;
  return { kubeconfig, stop: () => child.disconnect() };
}

export async function measureContestant(who: Contestant, kubeconfig: string): Promise<Reading> {
  const entry = fileURLToPath(new URL("./memory-contestant.ts", import.meta.url));
  return (await receive(fork(entry, [who, kubeconfig], { execArgv: FLAGS }))) as Reading;
}

/** The child's first message; its end before that is a fault of the bench. */
function receive(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      reject(new Error(`${child.spawnargs[2] ?? "a process"} ended early: ${signal ?? code}`)),
    );
  });
}
