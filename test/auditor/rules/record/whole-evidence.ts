import type { AuditedCluster, AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { isReadable } from "../../reading/files/readable.ts";
import { isDone, isOurs } from "../../reading/writes/hands.ts";
import { ledgerOf } from "../../reading/writes/moves.ts";
import { listChanged, startState, stateFields } from "../../reading/writes/object-state.ts";
import { replaySteering, replayWrites } from "../../reading/writes/replay.ts";
import { type Finder, makeRule } from "../rule.ts";

function judgeMain({ main, clusters }: Evidence, found: Finder): void {
  found.judge();
  if (main.length === 0) found.refuse("", "main", "the evidence has no commit of main: it is unknown what it wanted");
  if (main.length === 0 || main.some((commit) => isReadable(commit))) return;
  if (clusters.every((cluster) => replaySteering(cluster).length === 0))
    found.cannotJudge("main could never be read, and nothing moved");
  else found.refuse("", "main", "something moved, and no commit of main can be read");
}

/** Every cluster that a run names. */
function listNamed(run: AuditedRun): readonly string[] {
  const keys = [...run.skipped, ...(run.list ?? []), ...(run.differences ?? [])];
  return [...Object.keys(run.clusters ?? {}), ...keys.map((key) => key.split(":")[0] ?? "")];
}

function judgeLedger(evidence: Evidence, found: Finder): void {
  const { ledger, clusters, main } = evidence;
  found.judge();
  if (ledger === "none") {
    const written = clusters.filter(({ writes }) => writes.some((write) => isOurs(write) && isDone(write)));
    for (const { name } of written)
      found.refuse(name, "meshroll/ledger", "meshroll wrote, and the git server has no ledger branch");
    return;
  }
  const recorded = new Set(clusters.map(({ name }) => name));
  const missing = new Set(ledger.runs.flatMap(listNamed).filter((name) => !recorded.has(name)));
  for (const name of missing)
    found.refuse(name, "", "the ledger names this cluster, and the evidence has no record of it");
  for (const { id, convergesTo = id } of ledger.runs) {
    if (main.some(({ sha }) => sha.startsWith(convergesTo))) continue;
    found.refuse("", `run ${id}`, "the ledger has this run, and the git server never saw its commit on main");
  }
}

const scopes = /^(?:all|(?:cluster|campaign|run|bucket|namespace)\/.+)$/u;

function judgeScopes(evidence: Evidence, found: Finder): void {
  for (const { id, scope } of ledgerOf(evidence).stops) {
    found.judge();
    if (!scopes.test(scope))
      found.refuse("", `stop ${id}`, `the auditor cannot read its scope ${JSON.stringify(scope)}`);
  }
}

/** The objects at the end must be what the log explains; otherwise something was written without an entry in the log. */
function judgeCluster(cluster: AuditedCluster, found: Finder): void {
  const { name, before, created, after, writes } = cluster;
  if (before.length + created.length === 0) found.refuse(name, "", "nothing of this cluster was recorded");
  const { end } = replayWrites(cluster);
  for (const object of after) {
    found.judge();
    const explained = end.get(object.path);
    const stands = startState(object);
    if (explained === undefined) found.refuse(name, object.path, "it is there, and no record says how it came");
    else {
      const keys = stateFields.flatMap((field) => listChanged(explained[field], stands[field]));
      if (keys.length > 0)
        found.refuse(name, object.path, `no recorded write explains what stands in ${keys.join(", ")}`);
    }
  }
  const isOrdered = writes.every((write, index) => write.at >= (writes[index - 1]?.at ?? write.at));
  if (!isOrdered) found.refuse(name, "", "the write log is not in the order of time");
}

/** Missing evidence is refused, with what is missing: the auditor signs only what it saw. */
export const evidenceIsWhole = makeRule("evidenceIsWhole", (evidence, found) => {
  judgeMain(evidence, found);
  judgeLedger(evidence, found);
  judgeScopes(evidence, found);
  const names = evidence.clusters.map(({ name }) => name);
  if (names.length === 0) found.refuse("", "", "the evidence has no cluster");
  for (const name of names.filter((each, index) => names.indexOf(each) !== index))
    found.refuse(name, "", "the evidence has this cluster twice");
  for (const cluster of evidence.clusters) judgeCluster(cluster, found);
});
