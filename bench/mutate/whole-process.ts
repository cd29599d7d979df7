import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A command that reads a file from standard input and writes another one. */
export interface Filter {
  readonly command: readonly string[];
  readonly input: string;
  readonly output: string;
}

interface Ended {
  readonly said: string;
  readonly stdout: string;
}

function runFilter(command: readonly string[], { input, output }: Filter): Ended {
  // The shell's own output is the account; the program's goes to the file.
  const files = [openSync(input, "r"), openSync(output, "w")];
  try {
    const args = ["-c", '"$@" >&3 && times', "sh", ...command];
    const stdio = [files[0] ?? "ignore", "pipe", "pipe", files[1] ?? "ignore"] as const;
    const done = spawnSync("sh", args, { encoding: "utf8", stdio: [...stdio] });
    if (done.status === 0) return { said: done.stderr, stdout: done.stdout };
    throw new Error(`${command.slice(0, 4).join(" ")}: ${done.stderr.slice(-1000)}`);
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** Seconds of CPU time, the garbage collector's threads included. The shell's `times` has a line for its children. */
export function timeFilter(filter: Filter): number {
  const children = runFilter(filter.command, filter).stdout.trim().split("\n")[1] ?? "";
  const parts = Array.from(children.matchAll(/(\d+)m([\d.]+)s/g), ([, minutes, seconds]) =>
    [minutes, seconds].map(Number),
  );
  return parts.reduce((sum, [minutes = 0, seconds = 0]) => sum + minutes * 60 + seconds, 0);
}

/** Most memory that was resident in the filter, a Node program, in MB. */
export function readPeak(filter: Filter): number {
  const [node = "", ...args] = filter.command;
  const reporter = fileURLToPath(new URL("report-peak.ts", import.meta.url));
  const { said } = runFilter([node, "--disable-warning=ExperimentalWarning", "--import", reporter, ...args], filter);
  return Number(said.trim().split("\n").at(-1)) / 1e6;
}
