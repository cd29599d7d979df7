import { type Event, readEvent } from "#libs/events";
import type { Clock, Metrics } from "#libs/runtime";

/** Moves whose end was never told (their run is gone) are forgotten from here on, the oldest first. */
const mostOpen = 10_000;

type WorkloadEvent = Extract<Event, { readonly data: { readonly workload: string; readonly revision: string } }>;

/** How it failed, as its annotation says; nothing for all else. */
function nameReason(event: WorkloadEvent): string {
  return event.type === "workload.v1.failed" ? (event.data.code ?? "") : "";
}

/** Counts restarts and how long they take, by what the executor tells of them. */
export function createMoveMetrics(metrics: Metrics, clock: Clock): (body: string) => void {
  const restarts = metrics.count("meshroll_restarts_total", "Workloads by what became of them", [
    "cluster",
    "result",
    "reason",
  ]);
  const took = metrics.duration("meshroll_restart_duration_seconds", "From the patch until all pods run it", [
    "cluster",
  ]);
  const ended = metrics.count("meshroll_batches_total", "Batches that ended", ["cluster"]);
  const began = new Map<string, number>();

  function noteEnd(event: WorkloadEvent, key: string): void {
    const at = began.get(key);
    began.delete(key);
    if (event.type === "workload.v1.migrated" && at !== undefined) {
      // Configured time, as readinessTimeout is.
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
