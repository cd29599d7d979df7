import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

interface Record {
  readonly pid: number;
  /** The process that started it. */
  readonly owner: number;
}

function readRecord(file: string): Record | undefined {
  if (!existsSync(file)) return undefined;
  const [pid, owner] = readFileSync(file, "utf8").trim().split(" ").map(Number);
  return pid !== undefined && owner !== undefined && pid > 1 ? { pid, owner } : undefined;
}

export function writePidFile(file: string, pid: number): void {
  writeFileSync(file, `${pid} ${process.pid}\n`);
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

/** Ends a process, kindly first. */
async function end(pid: number): Promise<void> {
  process.kill(pid, "SIGTERM");
  for (let left = 50; left > 0 && isAlive(pid); left--) await sleep(100);
  if (isAlive(pid)) process.kill(pid, "SIGKILL");
}

/**
 * Ends the server that an earlier run left behind with this data folder. Never another process that got its number, and
 * never the server of a run that still goes on: that is refused.
 */
export async function endStale(file: string, data: string): Promise<void> {
  const record = readRecord(file);
  if (record === undefined || !readCommand(record.pid).includes(data)) return removePidFile(file);
  if (record.owner !== process.pid && isAlive(record.owner)) {
    throw new Error(`${data} is in use by process ${record.owner}; end it, or choose another folder`);
  }
  await end(record.pid);
  removePidFile(file);
}
