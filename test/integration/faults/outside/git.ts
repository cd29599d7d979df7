import { type Fault, inTheMiddle } from "../passes/fault.ts";

/** The last main is used for a while when git does not answer. */
export const gitFaults: readonly Fault[] = [
  {
    name: "git-down",
    // It is asked at growing intervals until it answers.
    recovery: 8,
    shows:
      "the git server answers 503 until status names it: the last main is used, and the run ends as without a fault",
    play: inTheMiddle("well", async ({ fleet, untilNamed }) => {
      const effect = { kind: "status", status: 503 } as const;
      const fix = fleet.github.addFault({ on: {}, effect, times: Number.POSITIVE_INFINITY });
      // Main is used for ten minutes. What is named is the next decision, which cannot be recorded, or a batch whose commit
      // the executor cannot fetch.
      await untilNamed("LedgerDown", "ControlAhead");
      fix();
    }),
  },
];
