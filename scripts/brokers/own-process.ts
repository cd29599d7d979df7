import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";

import { isAlive } from "./programs/pid-file.ts";
import type { Program } from "./programs/program.ts";

/** A server process that is ours: it ends when we do, however we end. */
export interface OwnProcess {
  readonly pid: number;
  hasEnded(): boolean;
  /** Sends the signal and waits until the process is gone. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** So long a server may take to end in good order, ms. */
const endLimitMs = 5_000;

/** A shell that waits for the end of our side of a pipe, which comes even when we are killed by -9, and ends the server then. */
export function watchOver(pid: number): ChildProcess {
  const script = 'read -r _; kill -TERM "$1" 2>/dev/null';
  const guard = spawn("/bin/sh", ["-c", script, "sh", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  return guard;
}

/** Starts a server; its output is appended to `logFile`. */
export function startProcess(program: Program, args: readonly string[], logFile: string): OwnProcess {
  const output = openSync(logFile, "a");
  const env = { ...process.env, ...program.env };
  // Detached, or a Ctrl-C in the terminal would end the server under the processes that still use it.
  const child = spawn(program.path, args, { stdio: ["ignore", output, output], detached: true, env });
  closeSync(output);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program.path} could not be started`);
  const guard = watchOver(pid);
  const ended = once(child, "exit");
  // The number may be given to another process from now on: the guard must not end that one.
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
