import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";

import { isAlive } from "./programs/pid-file.ts";
import type { Program } from "./programs/program.ts";

/** A server process that ends when this process ends, also when this one is killed by SIGKILL. */
export interface OwnProcess {
  readonly pid: number;
  hasEnded(): boolean;
  /** Sends the signal and waits until the process is gone; SIGKILL follows after 5 s. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** Time for a server to end after SIGTERM, ms. */
const endLimitMs = 5_000;

/**
 * Starts a shell that reads from a pipe of ours. The pipe closes when this process dies in any way, and the shell then ends the
 * server.
 */
export function startGuard(pid: number): ChildProcess {
  const script = 'read -r _; kill -TERM "$1" 2>/dev/null';
  const guard = spawn("/bin/sh", ["-c", script, "sh", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  return guard;
}

/** Starts a server. Its output is appended to `logFile`. */
export function startProcess(program: Program, args: readonly string[], logFile: string): OwnProcess {
  const output = openSync(logFile, "a");
  const env = { ...process.env, ...program.env };
  // In its own process group: else Ctrl-C in the terminal would end the server before the processes that still use it.
  const child = spawn(program.path, args, { stdio: ["ignore", output, output], detached: true, env });
  closeSync(output);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program.path} could not be started`);
  const guard = startGuard(pid);
  const ended = once(child, "exit");
  // The pid may be reused from now on, and the guard must not end that other process.
  child.once("exit", () => guard.kill("SIGKILL"));
  child.unref();
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid,
    hasEnded,
    async end(signal) {
      if (hasEnded()) return;
      child.ref();
      child.kill(signal);
      const late = setTimeout(() => isAlive(pid) && child.kill("SIGKILL"), endLimitMs);
      await ended;
      clearTimeout(late);
    },
  };
}
