import type { GuardName } from "./guard-edits.ts";

/** A guard, and the fault that fails when it is switched off, with the words in which it says so. */
export interface SeenGuard {
  readonly guard: GuardName;
  readonly fault: string;
  readonly complaint: RegExp;
}

/** Each guard of `guardEdits` once; `npm run test:guards-seen` checks that. */
export const seenGuards: readonly SeenGuard[] = [
  { guard: "resource-version", fault: "second-executor", complaint: /a patch that was decided on an older object/ },
  { guard: "ledger-cas", fault: "racing-pushes", complaint: /a decision that is recorded twice/ },
  { guard: "job-id", fault: "planners-two-batches", complaint: /jobs in the queue of one cluster/ },
  { guard: "lock", fault: "lock-lost-in-batch", complaint: /written by an executor whose lock another one has/ },
  { guard: "cluster-uid", fault: "cluster-swapped-in-batch", complaint: /written to another cluster/ },
  { guard: "workload-uid", fault: "recreated-in-batch", complaint: /another workload than the batch named/ },
  { guard: "control", fault: "planner-gone-in-batch", complaint: /no planner has said a word for half a minute/ },
  { guard: "stops", fault: "stopped-in-batch", complaint: /written although all is stopped/ },
  { guard: "calendar", fault: "window-closed-in-batch", complaint: /written although its window has closed/ },
  { guard: "target-ready", fault: "istiod-gone-in-batch", complaint: /the target's istiod is not ready/ },
  { guard: "unavailable", fault: "drained-in-batch", complaint: /written although too many workloads are unavailable/ },
  { guard: "room", fault: "forged-job-in-window", complaint: /workloads rolled at once, batchSize is 2/ },
  { guard: "pace", fault: "forged-job", complaint: /^ *batchesApart: /m },
  { guard: "take-back", fault: "late-patch", complaint: /never: all are back/ },
];
