import { gitServer, shorten, us, type Wordings } from "./wording.ts";

/** Why an executor does not patch a workload, in addition to the planner's reasons. */
export const permitReasons = {
  LockLost: () => ({ message: "the lock on the job was lost: another executor may have it", owner: us }),
  ControlUnknown: () => ({ message: "KV control is not seeded or older than 30 s", owner: "the planner" }),
  ControlAhead: () => ({ message: "KV control names a commit that is not fetched yet", owner: us }),
  MainUnknown: () => ({ message: "main was not read for ten minutes", owner: gitServer }),
  /** `told`: the code of the planner's own reason. */
  LedgerDoubted: ({ told }: { readonly told: string }) => ({
    message: `the planner does not use the newest ledger (${told}): nothing moves`,
    owner: us,
    command: "meshroll status",
  }),
  NothingReadable: () => ({
    message: "main does not parse, or no ledger is recorded",
    owner: "the author of the last merge",
  }),
  RunOver: ({ run }: { readonly run: string }) => ({ message: `run ${run} is not open`, owner: us }),
  CommitGone: ({ commit }: { readonly commit: string }) => ({
    message: `commit ${shorten(commit)} is not in main's history`,
    owner: us,
  }),
  NotDemanded: (reason: { readonly namespace: string; readonly desired: string; readonly target: string }) => ({
    message: `main asks for ${reason.desired} in ${reason.namespace}, not for ${reason.target}`,
    owner: us,
  }),
  /** `state`: its state, which is not pending. */
  NotPending: ({ workload, state }: { readonly workload: string; readonly state: string }) => ({
    message: `${workload} is ${state}`,
    owner: us,
  }),
  TriedLast: ({ workload }: { readonly workload: string }) => ({
    message: `${workload} was unhealthy before the run: it is tried last`,
    owner: us,
  }),
  Gone: ({ workload }: { readonly workload: string }) => ({
    message: `${workload} was deleted or created again since it was handed out`,
    owner: us,
  }),
} satisfies Wordings;
