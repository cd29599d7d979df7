import { once } from "node:events";

import { type Pass, playFault } from "./passes/fault.ts";
import { openLane } from "./passes/lane.ts";
import { faults } from "./list.ts";

/** One pass to be played: what the parent sends. */
export interface Job {
  readonly name: string;
  readonly seed: number;
}

function tell(pass: Pass | "ready"): void {
  process.send?.(pass);
}

/** Plays what the parent process asks for, one pass after the other, until the parent lets go. */
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
  // Whatever a pass that failed left behind must not keep the others waiting.
  process.exit();
}
