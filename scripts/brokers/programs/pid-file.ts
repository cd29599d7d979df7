import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Content of a pid file: three numbers. */
interface PidRecord {
  readonly pid: number;
  /** Pid of the process that started the server. */
  readonly owner: number;
  /**
   * Part of both servers' command lines, by which the process is recognised. Redis rewrites its title, so the data folder is
   * not in it.
   */
  readonly port: number;
}

function readRecord(file: string): PidRecord | undefined {
  if (!existsSync(file)) return undefined;
  const [pid = 0, owner = 0, port = 0] = readFileSync(file, "utf8").trim().split(" ").map(Number);
  return pid > 1 && owner > 0 && port > 0 ? { pid, owner, port } : undefined;
}

export function writePidFile(file: string, { pid, port }: { readonly pid: number; readonly port: number }): void {
  writeFileSync(file, `${pid} ${process.pid} ${port}\n`);
}

/** True while the process with this pid is still the server that was started. */
function isStillServer({ pid, port }: PidRecord): boolean {
  const command = readCommand(pid);
  return /\b(?:redis|valkey|nats)-server\b/.test(command) && command.includes(String(port));
}

export function removePidFile(file: string): void {
  rmSync(file, { force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Command line of a process; empty when it is gone. */
function readCommand(pid: number): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return execFileSync("ps", ["-p", String(pid), "-o", "args="], { encoding: "utf8" });
  } catch {
    return "";
  }
}

/** Sends SIGTERM, and SIGKILL after 5 s. */
async function end(pid: number): Promise<void> {
  process.kill(pid, "SIGTERM");
  for (let left = 50; left > 0 && isAlive(pid); left--) await sleep(100);
  if (isAlive(pid)) process.kill(pid, "SIGKILL");
}

/**
 * Ends the server that an earlier run left behind in this folder. A process that only has the same pid is left alone. Throws
 * when the run that started the server is still alive.
 */
export async function endStale(file: string): Promise<void> {
  const record = readRecord(file);
  if (record === undefined || !isStillServer(record)) return removePidFile(file);
  if (record.owner !== process.pid && isAlive(record.owner)) {
    throw new Error(`${file} is in use by process ${record.owner}; end it, or choose another folder`);
  }
  await end(record.pid);
  removePidFile(file);
}
