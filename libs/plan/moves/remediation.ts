import type { Settings } from "#libs/campaign";
import {
  annotationKeys,
  type FailureAnnotation,
  type FailureCause,
  readAnnotations,
  renderFailureAnnotation,
} from "#libs/fleet";
import type { ObjectChange, Planned } from "#libs/injection";
import type { RemediationReason } from "#libs/wording";

import type { Unserved } from "../conditions/index.ts";
import type { ReconcileTimes } from "../index/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";
import type { ExecutorSnapshot } from "./permit/facts.ts";

/** One write to an object that we moved, because the move failed, is no longer wanted, or is complete. */
export interface Remediation {
  readonly kind: "fail" | "retry" | "undoTry" | "revert" | "finishUndo" | "recordArrival";
  readonly judged: JudgedWorkload;
  /** The run that wrote it. */
  readonly run: string;
  readonly reason: RemediationReason;
  /** The write restores the previous template. */
  readonly reverts: boolean;
  readonly write: { readonly object: "namespace" | "workload"; readonly change: ObjectChange };
  /** Why a failure is annotated without an undo. */
  readonly obstacle?: Unserved;
  /** The failure that the write records. */
  readonly failure?: FailureAnnotation;
}

export interface RemediationInput extends ReconcileTimes {
  readonly snapshot: ExecutorSnapshot;
  /** Those of `meshroll.yml`; a stage's own settings take precedence. */
  readonly settings: Settings;
}

/** The write as a remediation; empty where there is nothing to write. */
export function makeRemediation(
  kind: Remediation["kind"],
  judged: JudgedWorkload,
  object: "namespace" | "workload",
  planned: Planned,
  reason: RemediationReason,
): readonly Remediation[] {
  if (planned.kind !== "write") return [];
  const run = readAnnotations(judged.workload)?.run?.run ?? readAnnotations(judged.inventory.namespace)?.run?.run ?? "";
  const { change } = planned;
  const reverts = change.template !== undefined || change.labels !== undefined;
  return [{ kind, judged, run, reason, reverts, write: { object, change } }];
}

/** The same write, recording this failure. */
export function recordFailure(remediation: Remediation, failure: FailureAnnotation): Remediation {
  const { object, change } = remediation.write;
  const annotations = { ...change.annotations, [annotationKeys.failed]: renderFailureAnnotation(failure) };
  return { ...remediation, failure, write: { object, change: { ...change, annotations } } };
}

/** Whether what the pods say now is the cause of the failure that the write records, and is not known yet. */
export function lacksCause({ failure }: Remediation): boolean {
  return failure !== undefined && failure.cause === undefined;
}

/** The same write with what the pods said: on the object, and in what is reported. */
export function addCause(remediation: Remediation, said: FailureCause): Remediation {
  const { failure, reason, write, judged } = remediation;
  if (failure === undefined) return remediation;
  const { kind, name } = judged.workload;
  const cause = write.object === "namespace" ? { ...said, workload: `${kind}/${name}` } : said;
  const recorded = recordFailure(remediation, { ...failure, cause });
  return reason.code === "MoveFailed" ? { ...recorded, reason: { ...reason, cause } } : recorded;
}
