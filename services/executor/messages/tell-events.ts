import { istioKeys, parseAnnotations, readRunning } from "#libs/fleet";
import type { JudgedWorkload } from "#libs/plan";
import type { Clock } from "#libs/runtime";
import { renderWorkloadEvent, type WorkloadEventCase, type WorkloadReason } from "#libs/wording";

import type { EventRecorder } from "./record-events.ts";
import type { Teller } from "./tell.ts";

/** Our marks on the workload or its namespace; undefined where there are none, and where a person broke them. */
function findMarks(object: JudgedWorkload["workload"] | JudgedWorkload["inventory"]["namespace"]) {
  const marks = parseAnnotations(object);
  return marks.kind === "read" ? marks : undefined;
}

/** The label that decided before our last write, as our marks keep it. */
function findBefore({ workload, inventory }: JudgedWorkload): string | undefined {
  const own = findMarks(workload)?.previous?.template?.labels;
  const labels = own ?? findMarks(inventory.namespace)?.previous?.labels;
  return labels?.[istioKeys.revision] ?? undefined;
}

/** Where it was before: what its pods run, and once they run the new one, what our own mark keeps of the old. */
function findFrom(each: JudgedWorkload, to: string): string | undefined {
  const running = readRunning(each.workload);
  if (running.kind === "all" && running.revision !== to) return running.revision;
  const before = findBefore(each);
  return before === to ? undefined : before;
}

/** A retry is a move of its own; a replayed job and a restarted executor tell of the same one. */
function countAttempt(each: JudgedWorkload): number {
  return each.state.kind === "pending" ? each.state.attempt : (findMarks(each.workload)?.run?.attempt ?? 1);
}

/** Records the Event of one case, under a name that follows from what happened alone. */
export function tellEvent(
  { recorder, clock }: { readonly recorder: EventRecorder; readonly clock: Pick<Clock, "now"> },
  each: JudgedWorkload,
  run: string,
  about: WorkloadEventCase,
): void {
  const { workload, key, desired: to, run: record } = each;
  const from = findFrom(each, to);
  const commit = record?.id === run ? record.commit : undefined;
  const facts = {
    run,
    to,
    namespace: workload.namespace,
    isRollback: each.rollbackSince !== undefined,
    ...(from === undefined ? {} : { from }),
    ...(commit === undefined ? {} : { commit }),
  };
  const words = renderWorkloadEvent(facts, about);
  const why = about.kind === "skipped" ? about.reason.code : String(countAttempt(each));
  const { kind, name, namespace, uid } = workload;
  recorder.record({
    ...words,
    ref: { kind, name, namespace },
    uid,
    id: [words.reason, run, key, to, uid, why].join("|"),
    at: clock.now(),
  });
}

/** Tells `kubectl describe` of the same effects as the bus. */
export function createEventTeller(parts: Parameters<typeof tellEvent>[0]): Teller {
  return (name, each, run, failure) => {
    const why = failure?.reason ?? "";
    const reverted = failure?.reverted ?? false;
    switch (name) {
      case "workloadMoved":
        return tellEvent(parts, each, run, { kind: "moving" });
      case "workloadMigrated":
        return tellEvent(parts, each, run, { kind: "arrived" });
      case "workloadFailed":
        return tellEvent(parts, each, run, { kind: "failed", why, reverted });
      case "workloadReverted":
        return tellEvent(parts, each, run, { kind: "reverted", why });
    }
  };
}

/** Why a workload that a run wants is not moved. */
export function tellSkipped(
  parts: Parameters<typeof tellEvent>[0],
  each: JudgedWorkload,
  run: string,
  reason: WorkloadReason,
): void {
  tellEvent(parts, each, run, { kind: "skipped", reason });
}
