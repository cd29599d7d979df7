import type { AuditedCommit, AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { isDone, isOurs } from "../../reading/writes/hands.ts";
import { ledgerOf } from "../../reading/writes/moves.ts";
import { readRunAnnotation } from "../../reading/writes/replay.ts";
import { type Finder, makeRule } from "../rule.ts";
import { judgeClusterAgrees } from "./agreeing-clusters.ts";

interface Interval {
  readonly path: string;
  readonly from: number | undefined;
  readonly until: number | undefined;
}

/** Whatever has a begin and an end. */
function listIntervals(evidence: Evidence): readonly Interval[] {
  const { main, pushes, clusters } = evidence;
  return [
    ...main.map(({ sha, at, atLatest }) => ({ path: `commit ${sha}`, from: at, until: atLatest })),
    ...pushes.map(({ branch, at, atLatest }) => ({ path: `branch ${branch}`, from: at, until: atLatest })),
    ...clusters.flatMap(({ name, kubectlStops }) =>
      kubectlStops.map(({ at, resumedAt }) => ({ path: `${name} meshroll-stop`, from: at, until: resumedAt })),
    ),
    ...ledgerOf(evidence).runs.flatMap(({ id, startedFrom, startedAt, endedAt, endedAtLatest }) => [
      { path: `run ${id}`, from: startedFrom, until: startedAt },
      { path: `run ${id}`, from: endedAt, until: endedAtLatest },
    ]),
  ];
}

function judgeIntervals(evidence: Evidence, found: Finder): void {
  for (const { path, from, until } of listIntervals(evidence)) {
    if (from === undefined || until === undefined) continue;
    found.judge();
    if (until < from) found.refuse("", path, "it ended before it began");
  }
}

/** What a commit holds: the same wherever it stands. */
function describeCommit({ parent, author, rollouts, settings, campaigns }: AuditedCommit): string {
  return JSON.stringify([parent, author, rollouts, settings, Object.entries(campaigns)]);
}

/** A commit arrives once, later only where a forced push takes main back to it, and after those before it. */
function judgeMain({ main }: Evidence, found: Finder): void {
  const known = new Map<string, AuditedCommit>();
  main.forEach((commit, index) => {
    const { sha, at, atLatest = at, isForced = false } = commit;
    const [earlier, before] = [known.get(sha), main[index - 1]];
    known.set(sha, commit);
    found.judge();
    if (earlier !== undefined && !isForced) found.refuse("", `commit ${sha}`, "it was pushed at two different times");
    if (earlier !== undefined && describeCommit(earlier) !== describeCommit(commit))
      found.refuse("", `commit ${sha}`, "it has two different contents");
    if (before !== undefined && atLatest < before.at)
      found.refuse("", `commit ${sha}`, "it arrived before the one that main had before it");
  });
}

/** Every end of a run, at the latest. */
function listEnds({ earlierEnds = [], endedAtLatest }: AuditedRun): readonly number[] {
  const earlier = earlierEnds.map(({ reopenedAt }) => reopenedAt);
  return endedAtLatest === undefined ? earlier : [...earlier, endedAtLatest];
}

/** A run begins on its commit, and nothing of it begins after its end. */
function judgeRun({ main }: Evidence, run: AuditedRun, found: Finder): void {
  const { id, startedAt = 0, endedAtLatest = Number.POSITIVE_INFINITY, clusters = {}, convergesTo = id } = run;
  const path = `run ${id}`;
  found.judge();
  if (listEnds(run).some((end) => end < startedAt)) found.refuse("", path, "its first record is later than its end");
  const late = Object.entries(clusters).filter(([, opened]) => endedAtLatest < opened);
  for (const [name] of late) found.refuse(name, path, "its wave opened after its end");
  const commit = main.find(({ sha }) => sha.startsWith(convergesTo));
  if (run.startedAt !== undefined && commit !== undefined && startedAt < commit.at)
    found.refuse("", path, "it was recorded before its commit was on main");
}

function judgeRuns(evidence: Evidence, found: Finder): void {
  const { runs } = ledgerOf(evidence);
  const known = new Map(runs.map((run) => [run.id, run]));
  if (known.size < runs.length) found.refuse("", "meshroll/ledger", "it has a run twice");
  for (const run of runs) {
    judgeRun(evidence, run, found);
    const { id, endedAtLatest, takenOverBy } = run;
    const later = known.get(takenOverBy ?? "");
    if (endedAtLatest !== undefined && later?.startedAt !== undefined && endedAtLatest < later.startedAt)
      found.refuse("", `run ${id}`, `run ${later.id}, which took it over, began after its end`);
  }
}

/** The ledger is pushed first, and then a workload is written: no run is recorded after its moves. */
function judgeLateRuns(evidence: Evidence, found: Finder): void {
  const begins = new Map(ledgerOf(evidence).runs.map(({ id, startedFrom }) => [id, startedFrom]));
  for (const { name, writes } of evidence.clusters) {
    for (const write of writes) {
      const id = readRunAnnotation(write)?.run;
      const from = begins.get(id ?? "");
      if (!isOurs(write) || !isDone(write) || from === undefined) continue;
      found.judge();
      if (write.at + (evidence.graceMs ?? 0) < from)
        found.refuse(name, write.path, `run ${id}, which it names, was recorded after it`);
    }
  }
}

/** Two pieces of evidence that cannot both be true: one of them is wrong, nothing says which, and nothing is signed. */
export const evidenceAgrees = makeRule("evidenceAgrees", (evidence, found) => {
  judgeIntervals(evidence, found);
  judgeMain(evidence, found);
  judgeRuns(evidence, found);
  judgeLateRuns(evidence, found);
  for (const cluster of evidence.clusters) judgeClusterAgrees(cluster, found);
});
