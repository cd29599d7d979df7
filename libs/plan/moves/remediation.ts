import type { Settings } from "#libs/campaign";
import { parseAnnotations, type ReadAnnotations } from "#libs/fleet";
import type { AnnotatedObject, ObjectChange, Planned } from "#libs/injection";
import type { RemediationReason } from "#libs/wording";

import type { Unserved } from "../conditions/index.ts";
import type { ReconcileTimes } from "../index/index.ts";
import type { JudgedWorkload } from "../workloads/index.ts";
import type { ExecutorSnapshot } from "./permit/facts.ts";

/** One write that looks after something of ours that moves, failed, or is not demanded any more. */
export interface Remediation {
  readonly kind: "fail" | "retry" | "undoTry" | "revert" | "finishUndo" | "recordArrival";
  readonly state: JudgedWorkload;
  /** The run that wrote it. */
  readonly run: string;
  readonly reason: RemediationReason;
  /** The previous template is put back with this write. */
  readonly reverts: boolean;
  readonly write: { readonly object: "namespace" | "workload"; readonly change: ObjectChange };
  /** Why a failure is marked and nothing is put back. */
  readonly obstacle?: Unserved;
}

export interface RemediationInput extends ReconcileTimes {
  readonly snapshot: ExecutorSnapshot;
  /** `meshroll.yml`; a stage's own go before them. */
  readonly settings: Settings;
}

/** Our annotations; undefined when a person broke them: then nothing is remediated by them. */
export function findReadable(object: AnnotatedObject): ReadAnnotations | undefined {
  const marks = parseAnnotations(object);
  return marks.kind === "read" ? marks : undefined;
}

/** The write as a remediation; nothing where nothing is to be written. */
export function makeRemediation(
  kind: Remediation["kind"],
  state: JudgedWorkload,
  object: "namespace" | "workload",
  planned: Planned,
  reason: RemediationReason,
): readonly Remediation[] {
  if (planned.kind !== "write") return [];
  const run = findReadable(state.workload)?.run?.run ?? findReadable(state.inventory.namespace)?.run?.run ?? "";
  const { change } = planned;
  const reverts = change.template !== undefined || change.labels !== undefined;
  return [{ kind, state, run, reason, reverts, write: { object, change } }];
}
