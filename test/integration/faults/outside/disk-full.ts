import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { type Fault, inTheMiddle, type Stage } from "../passes/fault.ts";

/**
 * The largest file that these processes, and the git processes that they start, may write from now on. No disk has to be
 * filled, and no right is needed to make one: to who writes it is the same, an error in the middle of a file.
 */
async function limitFiles({ fleet }: Stage, bytes: string): Promise<void> {
  for (const name of ["planner", "executor"]) {
    const pid = fleet.services.get(name)?.pid;
    if (pid === undefined) throw new Error(`no ${name} runs`);
    await promisify(execFile)("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
  }
}

/** Nothing can be written to the disk of planner and executor: no clone, no log (reliability O5). */
export const diskFaults: readonly Fault[] = [
  {
    name: "disk-full",
    // Git is queried less and less often while it fails.
    recovery: 12,
    shows:
      "planner and executor can write to no file: nothing is decided that cannot be recorded, status names it, then all goes on",
    play: inTheMiddle("withBad", async (stage) => {
      await limitFiles(stage, "0");
      await stage.untilNamed("LedgerDown");
      await limitFiles(stage, "unlimited");
    }),
  },
];
