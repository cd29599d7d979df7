import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { findEntry } from "./find-entry.ts";
import { startGuard } from "../../../scripts/brokers/own-process.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A service of ours in its own process, as in production. */
export interface ServiceProcess {
  readonly pid: number;
  /** Resolves with the exit code, whatever ended the process. */
  readonly ended: Promise<number>;
  stop(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/** A folder of services/ that has a main.ts. */
export type ServiceName = "planner" | "executor" | "notifier" | "api";

/** Time for a service to end after SIGTERM before it is killed, real ms. */
const stopLimitMs = 8000;

async function waitForEnd(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

/** Starts `services/<name>/main.ts`; its log is `<folder>/<name>.log`. It ends with this process, also when that is killed. */
export function spawnService(
  name: ServiceName,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
): ServiceProcess {
  const log = openSync(join(folder, `${name}.log`), "a");
  const entry = findEntry(root, join("services", name));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", entry, ...args], {
    cwd: root,
    stdio: ["ignore", log, log],
    env: { ...process.env, ...env },
    // Ctrl-C at the terminal must reach only the demo, which stops its processes in order.
    detached: true,
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw new Error(`the ${name} could not be started`);
  // Ends the service when the demo is killed and cannot.
  const guard = startGuard(pid);
  const ended = waitForEnd(child).finally(() => guard.kill("SIGKILL"));
  return {
    pid,
    ended,
    signal: (signal) => void child.kill(signal),
    async stop() {
      child.kill("SIGTERM");
      const limit = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
      await ended;
      clearTimeout(limit);
    },
  };
}
