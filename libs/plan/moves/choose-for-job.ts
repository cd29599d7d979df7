import { viewRuns } from "../index/index.ts";
import { settingsOver } from "../main/index.ts";
import type { Due } from "../records/index.ts";
import type { BatchChoice } from "./batch-choice.ts";
import { chooseForward } from "./choose-forward.ts";
import { chooseRollback } from "./choose-rollback.ts";
import { type ExecutorSnapshot, findRunById } from "./permit/facts.ts";
import { describeRoom } from "./permit/check-room.ts";

/**
 * What an executor moves next of a run that may work in its cluster, by its own facts: the same choice as the planner's, which said
 * only which run, and whether forward. `refused`: whose rollback the API server refused of late.
 */
export function chooseForJob(
  snapshot: ExecutorSnapshot,
  job: { readonly run: string; readonly due: Due },
  refused: ReadonlySet<string>,
): BatchChoice {
  const { cluster, judged, stops } = snapshot;
  const run = findRunById(snapshot.ledger, job.run);
  const settings = settingsOver(snapshot, run);
  const classes =
    run === undefined ? undefined : viewRuns([run], new Map([[cluster.name, judged]]))[0]?.clusters.get(cluster.name);
  if (run === undefined || settings === undefined || classes === undefined) return { kind: "nothing" };
  const input = { ...describeRoom(snapshot), run, settings, stops, refused };
  return job.due === "rollback" ? chooseRollback(input, classes) : chooseForward(input, classes, job.due);
}
