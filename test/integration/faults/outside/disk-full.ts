import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { type Fault, inTheMiddle, type PassTools } from "../passes/fault.ts";

/**
 * Sets the largest file that these processes, and the git processes that they start, may write. The writer gets the same error
 * in the middle of a file as on a full disk, and neither a full disk nor special rights are needed.
 */
async function limitFiles({ fleet }: PassTools, bytes: string): Promise<void> {
  for (const name of ["planner", "executor"]) {
    const pid = fleet.services.get(name)?.pid;
    if (pid === undefined) throw new Error(`no ${name} runs`);
    await promisify(execFile)("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
  }
}

/** Planner and executor cannot write to their disk: no clone, no log. */
export const diskFaults: readonly Fault[] = [
  {
    name: "disk-full",
    // Git is asked at growing intervals while it fails.
    recovery: 12,
    shows:
      "planner and executor cannot write to any file: nothing is decided that cannot be recorded, status names it, then all continues",
    play: inTheMiddle("withBad", async (tools) => {
      await limitFiles(tools, "0");
      await tools.untilNamed("LedgerDown");
      await limitFiles(tools, "unlimited");
    }),
  },
];
