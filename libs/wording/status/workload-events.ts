import { printText } from "../text.ts";
import { renderWorkloadReason, type WorkloadReason } from "../workloads.ts";

/** The facts of a Kubernetes Event about a workload; revisions and commits are absent when they are not known any more. */
export interface WorkloadEventFacts {
  readonly run: string;
  /** The full id. */
  readonly commit?: string;
  readonly from?: string;
  readonly to: string;
  readonly namespace: string;
  /** The run is a rollback. */
  readonly isRollback: boolean;
  /** It is a group of VMs, a few of which may be broken when it counts as through. */
  readonly isVms?: true;
}

export type WorkloadEventCase =
  | { readonly kind: "moving" }
  | { readonly kind: "arrived" }
  /** `why`: as in a message of the bus; `reverted`: the previous template was restored. */
  | { readonly kind: "failed"; readonly why: string; readonly reverted: boolean }
  /** A late patch that main does not want was reverted. */
  | { readonly kind: "reverted"; readonly why: string }
  | { readonly kind: "skipped"; readonly reason: WorkloadReason };

/** The fields of one Event: `reason` and `action` are for machines, `note` is for people. */
export interface WorkloadEventWords {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: "Move" | "Undo" | "Skip";
  readonly note: string;
}

function nameRun({ run, commit }: WorkloadEventFacts): string {
  return commit === undefined ? `run ${run}` : `run ${run} (commit ${commit})`;
}

function nameWay({ from, to }: WorkloadEventFacts): string {
  return from === undefined || from === to ? `to ${to}` : `from ${from} to ${to}`;
}

const rollBack = (run: string) => `meshroll rollback run/${run} --reason "…"`;
const tryAgain = (run: string) => `meshroll retry run/${run} --reason "…"`;

function renderArrived(facts: WorkloadEventFacts): WorkloadEventWords {
  const { run, from, to, isRollback, namespace, isVms } = facts;
  const way = `${isVms === true ? "its VMs" : "all pods"} run ${to}${from === undefined || from === to ? "" : `, before ${from}`}`;
  if (isRollback) {
    const note = `${nameRun(facts)} rolled it back: ${way}. Why: meshroll explain ${namespace}`;
    return { type: "Normal", reason: "RevisionRolledBack", action: "Undo", note };
  }
  const note = `${nameRun(facts)} moved it: ${way}. Roll back: ${rollBack(run)}`;
  return { type: "Normal", reason: "RevisionMigrated", action: "Move", note };
}

/** The Event of one case. */
export function renderWorkloadEvent(facts: WorkloadEventFacts, about: WorkloadEventCase): WorkloadEventWords {
  const { run, namespace, isRollback } = facts;
  const who = nameRun(facts);
  switch (about.kind) {
    case "moving": {
      const verb = isRollback ? "rolls it back" : "moves it";
      const note = `${who} ${verb} ${nameWay(facts)}, by its own update strategy. Progress: meshroll status`;
      return { type: "Normal", reason: "RevisionMigrating", action: isRollback ? "Undo" : "Move", note };
    }
    case "arrived":
      return renderArrived(facts);
    case "failed": {
      const after = about.reverted ? "its previous pod template was put back" : "its new pod template was kept";
      const note = `${who} could not move it ${nameWay(facts)}: ${about.why}; ${after}. Try again: ${tryAgain(run)}`;
      return { type: "Warning", reason: "RevisionMigrationFailed", action: "Undo", note };
    }
    case "reverted": {
      const note = `the move by ${who} ${nameWay(facts)} was put back: ${about.why}. Why: meshroll explain ${namespace}`;
      return { type: "Normal", reason: "RevisionRolledBack", action: "Undo", note };
    }
    case "skipped": {
      const { code, message } = renderWorkloadReason(about.reason);
      const note = `${who} does not move it ${nameWay(facts)} (${code}): ${printText(message)}. Details: meshroll explain ${namespace}`;
      return { type: "Normal", reason: "RevisionMigrationSkipped", action: "Skip", note };
    }
  }
}
