import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import { receiveReading } from "../receive-reading.ts";
import type { Contestant, Reading } from "./memory-reading.ts";

/** Ms after which a contestant is killed: when the server dies, it would reconnect for ever. */
const PATIENCE_MS = 120_000;

const QUIET = "--disable-warning=ExperimentalWarning";

/** An API server in a process of its own. */
export interface ServerProcess {
  readonly kubeconfig: string;
  /** Mean size of an object, bytes of JSON. */
  readonly bytes: { readonly deployment: number; readonly pod: number };
  stop(): void;
}

/** Starts sandbox/big-cluster in a process, as only sandbox and tests may import it. */
export async function startServer(workloads: number, podsEach: number): Promise<ServerProcess> {
  const entry = fileURLToPath(new URL("../../sandbox/big-cluster/main.ts", import.meta.url));
  const child = fork(entry, ["--workloads", String(workloads), "--pods", String(podsEach)], { execArgv: [QUIET] });
  const ready = (await receiveReading(child, "the API server")) as Omit<ServerProcess, "stop">;
  return { ...ready, stop: () => child.disconnect() };
}

export async function measureContestant(who: Contestant, kubeconfig: string): Promise<Reading> {
  const entry = fileURLToPath(new URL("./memory-contestant.ts", import.meta.url));
  const child = fork(entry, [who, kubeconfig], { execArgv: [QUIET, "--expose-gc"], timeout: PATIENCE_MS });
  return (await receiveReading(child, who)) as Reading;
}
