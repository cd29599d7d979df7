import { type Event, readEvent } from "#libs/events";
import type { Clock, Metrics } from "#libs/runtime";

/** Above this number the oldest moves are forgotten: the end of a move whose run is gone is never reported. */
const mostOpen = 10_000;

type WorkloadEvent = Extract<Event, { readonly data: { readonly workload: string; readonly revision: string } }>;

/** The reason code of a failure; empty for other events. */
function nameReason(event: WorkloadEvent): string {
  return event.type === "workload.v1.failed" ? (event.data.code ?? "") : "";
}

/** Returns a function that takes each published message and counts restarts, their duration and batches. */
export function createMoveMetrics(metrics: Metrics, clock: Clock): (body: string) => void {
  const restarts = metrics.count("meshroll_restarts_total", "Workloads by outcome", ["cluster", "result", "reason"]);
  const took = metrics.duration("meshroll_restart_duration_seconds", "From the patch until all pods run it", [
    "cluster",
  ]);
  const ended = metrics.count("meshroll_batches_total", "Batches that ended", ["cluster"]);
  const began = new Map<string, number>();

  function noteEnd(event: WorkloadEvent, key: string): void {
    const at = began.get(key);
    began.delete(key);
    if (event.type === "workload.v1.migrated" && at !== undefined) {
      // By the clock that `readinessTimeout` uses too, which a sandbox may run faster.
      took.observe((clock.now() - at) / 1000, { cluster: event.data.cluster });
    }
  }

  function noteWorkload(event: WorkloadEvent): void {
    const { cluster, workload } = event.data;
    const result = event.type.replace("workload.v1.", "");
    restarts.add({ cluster, result, reason: nameReason(event) });
    const key = `${cluster}/${workload}`;
    if (event.type !== "workload.v1.moved") return noteEnd(event, key);
    began.set(key, clock.now());
    const oldest = began.keys().next().value;
    if (began.size > mostOpen && oldest !== undefined) began.delete(oldest);
  }

  return (body) => {
    const event = readEvent(body);
    if (event === undefined) return;
    if (event.type === "batch.v1.ended") ended.add({ cluster: event.data.cluster });
    else if ("workload" in event.data) noteWorkload(event as WorkloadEvent);
  };
}
