import { findCalendarStop } from "../conditions/index.ts";
import { viewRuns } from "../index/index.ts";
import { settingsOver } from "../main/index.ts";
import type { Due } from "../records/index.ts";
import { type BatchChoice, wait } from "./batch-choice.ts";
import { chooseForward } from "./choose-forward.ts";
import { chooseRollback } from "./choose-rollback.ts";
import { countBegun, findBatchEnd } from "./room/pace.ts";
import { type ExecutorSnapshot, findRunById } from "./permit/facts.ts";
import { describeRoom } from "./permit/check-room.ts";

/**
 * What an executor moves next for a job, by its own facts; the job says only the run and the class of workloads. The same rules
 * as the planner's choice. `refused`: workloads whose rollback the API server refused lately.
 */
export function chooseForJob(
  snapshot: ExecutorSnapshot,
  job: { readonly run: string; readonly due: Due },
  refused: ReadonlySet<string>,
): BatchChoice {
  const { judged, stops, head, now } = snapshot;
  const run = findRunById(snapshot.ledger, job.run);
  const settings = settingsOver(snapshot, run);
  if (run === undefined || settings === undefined) return { kind: "nothing" };
  const cluster = { ...snapshot.cluster, batchEndedAt: findBatchEnd(snapshot) };
  const [view] = viewRuns([run], new Map([[cluster.name, judged]]));
  const classes = view?.clusters.get(cluster.name);
  if (view === undefined || classes === undefined) return { kind: "nothing" };
  const room = { ...describeRoom(snapshot), begun: countBegun(snapshot) };
  const input = { ...room, cluster, run, settings, stops, refused };
  if (job.due === "rollback") return chooseRollback(input, classes);
  // The window may have closed since the job was made.
  const closed = head === undefined ? undefined : findCalendarStop(head, view, now);
  return closed === undefined ? chooseForward(input, classes, job.due) : wait(run.id, closed);
}
