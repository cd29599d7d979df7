import { type Fault, inTheMiddle } from "../passes/fault.ts";

/** What git does not say is believed for a while. */
export const gitFaults: readonly Fault[] = [
  {
    name: "git-down",
    // It is asked less and less often until it answers.
    recovery: 8,
    shows: "the git server answers 503 until status names it: the last main serves, and the run ends as undisturbed",
    play: inTheMiddle("well", async ({ fleet, untilNamed }) => {
      const effect = { kind: "status", status: 503 } as const;
      const fix = fleet.github.addFault({ on: {}, effect, times: Number.POSITIVE_INFINITY });
      // Main is believed for ten minutes; what is named is the next decision, which cannot be recorded, or a batch handed out by one
      // that the executor cannot fetch any more.
      await untilNamed("LedgerDown", "ControlAhead");
      fix();
    }),
  },
];
