import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/**
 * What is there was written by a newer build than this command line is of. `what` happened, as the beginning of a sentence; `why`
 * names both versions.
 */
export function refuseOlder(what: string, why: string): Refusal {
  return new Refusal(exitCodes.environment, `this command line is too old: ${what}: ${why}`, [
    "install the build that planner and executors run; which one this is says  ",
    { command: "meshroll version" },
  ]);
}
