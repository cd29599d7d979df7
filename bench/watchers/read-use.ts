import { execFileSync } from "node:child_process";

/** CPU time of a process so far, and its current memory. */
export interface Use {
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

/** Reads `ps`, which prints the same on Linux and macOS: `[[dd-]hh:]mm:ss[.cc]` of CPU time, and kB. */
export function readUse(pid: number): Use {
  const [time = "", rss = ""] = execFileSync("ps", ["-o", "time=,rss=", "-p", String(pid)], { encoding: "utf8" })
    .trim()
    .split(/\s+/u);
  const seconds = time.split(/[-:]/u).map(Number).reverse();
  const weights = [1, 60, 3600, 86_400];
  const cpuSeconds = seconds.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
  return { cpuSeconds, rssBytes: Number(rss) * 1024 };
}
