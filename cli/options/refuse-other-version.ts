import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** A record was written by another version. `what` happened, as the beginning of a sentence; `why` names both versions. */
export function refuseOtherVersion(what: string, why: string): Refusal {
  return new Refusal(exitCodes.environment, `this command line is of another version than the fleet: ${what}: ${why}`, [
    "install the build that planner and executors run; this build's version:  ",
    { command: "meshroll version" },
  ]);
}
