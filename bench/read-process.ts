import { existsSync, readFileSync } from "node:fs";

/**
 * CPU time of this thread so far, ms. Linux brings a thread's account up to date at each tick (4 ms), unless the whole
 * process is asked first.
 */
export function readThreadMs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
}

/** Peak memory of this program, bytes. Linux counts the parent's, from before the fork, as the child's `maxRSS`. */
export function readPeakRss(): number {
  const status = "/proc/self/status";
  const own = existsSync(status) ? /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync(status, "utf8"))?.[1] : undefined;
  return (own === undefined ? process.resourceUsage().maxRSS : Number(own)) * 1024;
}
