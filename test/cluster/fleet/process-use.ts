import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What a process of this machine uses. */
export interface ProcessUse {
  /** CPU seconds so far, user and system. */
  readonly cpuSeconds: number;
  /** Resident memory now and at most so far, MB. */
  readonly residentMb: number;
  readonly peakMb: number;
}

let ticks: number | undefined;

/** Clock ticks of a second, in which Linux counts CPU time. */
function readTicks(): number {
  ticks ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  return ticks;
}

/** Reads it from /proc. */
export function readProcessUse(pid: number): ProcessUse {
  // The name of the program, in brackets, may have blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const [user, system] = [fields[11], fields[12]].map(Number);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const readMb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) / 1024;
  return {
    cpuSeconds: ((user ?? 0) + (system ?? 0)) / readTicks(),
    residentMb: readMb("VmRSS"),
    peakMb: readMb("VmHWM"),
  };
}
