import { once } from "node:events";

import { type Pass, playFault } from "./passes/fault.ts";
import { openLane } from "./passes/lane.ts";
import { faults } from "./list.ts";

/** One pass to play, as the parent process sends it. */
export interface Job {
  readonly name: string;
  readonly seed: number;
}

function tell(pass: Pass | "ready"): void {
  process.send?.(pass);
}

/** Plays what the parent process sends, one pass after the other, until the parent disconnects. */
export async function serveLane(): Promise<void> {
  const lane = await openLane();
  process.on("message", (job: Job) => {
    const fault = faults.find(({ name }) => name === job.name);
    if (fault === undefined) throw new Error(`no fault ${job.name}`);
    void playFault(fault, lane, job.seed).then(tell);
  });
  const letGo = once(process, "disconnect");
  tell("ready");
  await letGo;
  await lane.end();
  // Exits even if a failed pass left something open, because the others wait.
  process.exit();
}
