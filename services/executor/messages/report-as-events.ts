import { istioKeys, readAnnotations, readRunning } from "#libs/fleet";
import type { JudgedWorkload } from "#libs/plan";
import type { Clock } from "#libs/runtime";
import { renderWorkloadEvent, type WorkloadEventCase, type WorkloadReason } from "#libs/wording";

import type { EventRecorder } from "./record-events.ts";
import type { Report } from "./report-to-bus.ts";

/** The revision label before our last write, from the annotation of that write. */
function findBefore({ workload, inventory }: JudgedWorkload): string | undefined {
  const own = readAnnotations(workload)?.previous?.template?.labels;
  const labels = own ?? readAnnotations(inventory.namespace)?.previous?.labels;
  return labels?.[istioKeys.revision] ?? undefined;
}

/** The revision that the workload moves from: the one its pods run, or once they run the target, the one in our annotation. */
function findFrom(each: JudgedWorkload, to: string): string | undefined {
  const running = readRunning(each.workload);
  if (running.kind === "all" && running.revision !== to) return running.revision;
  const before = findBefore(each);
  return before === to ? undefined : before;
}

/** The number of the attempt: a retry gets an Event of its own, a replayed job or a restarted executor repeats the same one. */
function countAttempt(each: JudgedWorkload): number {
  return each.state.kind === "pending" ? each.state.attempt : (readAnnotations(each.workload)?.run?.attempt ?? 1);
}

/** Records the Event of one case. Its name follows only from what happened, so a repetition is the same object. */
export function recordCase(
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
    ...(workload.kind === "WorkloadGroup" ? { isVms: true as const } : {}),
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

/** Reports the effects as Kubernetes Events, for `kubectl describe`. */
export function createEventReporter(parts: Parameters<typeof recordCase>[0]): Report {
  return (name, each, run, failure) => {
    const why = failure?.reason ?? "";
    const reverted = failure?.reverted ?? false;
    switch (name) {
      case "workloadMoved":
        return recordCase(parts, each, run, { kind: "moving" });
      case "workloadMigrated":
        return recordCase(parts, each, run, { kind: "arrived" });
      case "workloadFailed":
        return recordCase(parts, each, run, { kind: "failed", why, reverted });
      case "workloadReverted":
        return recordCase(parts, each, run, { kind: "reverted", why });
    }
  };
}

/** Records the Event that says why a run does not move a workload. */
export function reportSkipped(
  parts: Parameters<typeof recordCase>[0],
  each: JudgedWorkload,
  run: string,
  reason: WorkloadReason,
): void {
  recordCase(parts, each, run, { kind: "skipped", reason });
}
