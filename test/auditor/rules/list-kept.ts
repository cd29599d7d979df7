import type { AuditedCluster, AuditedRun, Evidence, Violation } from "../evidence/evidence.ts";
import { nameObject, readRunMark, replaySteering } from "../reading/replay.ts";

/**
 * Workloads that a run moved, with their cluster: what it put back itself counts too, it had moved it. So does a return's
 * move, which takes back exactly what was written before: it has a run, and the undo of a failure has none.
 */
function listMoved(cluster: AuditedCluster, run: string): readonly string[] {
  const moves = replaySteering(cluster).filter(
    ({ write, isWorkload }) => isWorkload && readRunMark(write)?.run === run,
  );
  return moves.map(({ write }) => nameObject(cluster.name, write.path));
}

function judgeRun({ clusters }: Evidence, run: AuditedRun): readonly Violation[] {
  if (run.list === undefined || run.state !== "done") return [];
  const report = (cluster: string, path: string, what: string): Violation => {
    return { rule: "listKept", cluster, path, what: `run ${run.id}: ${what}` };
  };
  const listed = new Set(run.list);
  const named = new Set(run.differences);
  const moved = new Map(clusters.flatMap((each) => listMoved(each, run.id).map((key) => [key, each.name] as const)));
  const unlisted = [...moved].filter(([key]) => !listed.has(key) && !named.has(key));
  const unmoved = [...listed].filter((key) => !moved.has(key) && !named.has(key));
  return [
    ...unlisted.map(([key, cluster]) => report(cluster, key, "moved though its pull request does not list it")),
    ...unmoved.map((key) => report("", key, "listed by its pull request, not moved, and not named as a difference")),
  ];
}

/** The list of the pull request is what was executed, or the run's end names each difference. */
export function listKept(evidence: Evidence): readonly Violation[] {
  return (evidence.ledger?.runs ?? []).flatMap((run) => judgeRun(evidence, run));
}
