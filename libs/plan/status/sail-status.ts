import { printSailFailure } from "#libs/wording";
import { lookUp } from "#libs/input";
import { type FailureAnnotation, type Kind, readMarks, type RunAnnotation, type Workload } from "#libs/fleet";

import { parseTime, printTime, type RunRecord, type Snapshot, type Spec } from "../records/index.ts";
import { countLeftIn, type Evaluation, leftClasses, type RunInCluster } from "../index/index.ts";
import { settingsOf } from "../main/index.ts";
import { chooseReadinessTimeout, type JudgedWorkload } from "../workloads/index.ts";
import { collectStops, findRunGuardStop } from "../stops/index.ts";
import { countBatches } from "./campaign-figures.ts";

/** One entry of Sail's `failures`. */
export interface SailFailure {
  readonly namespace: string;
  readonly name: string;
  readonly kind: Kind;
  readonly reason: string;
  readonly timestamp: string;
}

/** `status.workloadMigration` of Sail's proposal, in its order of fields. */
export interface SailMigration {
  readonly state: "Idle" | "InProgress" | "Completed" | "Failed";
  readonly targetRevision?: string;
  readonly totalWorkloads?: number;
  readonly migratedWorkloads?: number;
  readonly failedWorkloads?: number;
  /** The ten most recent ones, oldest first; absent without any. */
  readonly failures?: readonly SailFailure[];
  readonly startTime?: string;
  readonly completionTime?: string;
  /** With every strategy but `Window`. */
  readonly batched?: { readonly currentBatch: number; readonly totalBatches: number };
}

export interface SailCluster {
  readonly cluster: string;
  readonly status: { readonly workloadMigration: SailMigration };
}

/** Sail's limit. */
const kept = 10;

/** Without fractions, as Kubernetes writes times. */
function printSeconds(epochMs: number): string {
  return printTime(epochMs).replace(/\.\d+Z$/u, "Z");
}

/** A duration in Go's form: `5m0s`, `1h0m0s`, `30s`. */
function printGoDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = [hours > 0 ? `${hours}h` : "", seconds >= 60 ? `${minutes}m` : "", `${seconds % 60}s`];
  return parts.join("");
}

/** A failure in Sail's words; a code that Sail does not have stays as it is. */
function nameSailReason(reason: string, each: JudgedWorkload, timeoutMs: number): string {
  const { kind, available, replicas } = each.workload;
  if (reason === "ReadinessTimeout")
    return printSailFailure({ code: reason, after: printGoDuration(chooseReadinessTimeout(each, timeoutMs)) });
  return reason === "ProgressDeadlineExceeded" ? printSailFailure({ code: reason, kind, available, replicas }) : reason;
}

interface AnnotatedObject {
  readonly judged: JudgedWorkload;
  readonly run: RunAnnotation;
  readonly failed: FailureAnnotation | undefined;
}

function readMarked(
  judged: JudgedWorkload,
  object: Pick<Workload, "annotations" | "marksBy" | "refused">,
): readonly AnnotatedObject[] {
  const marks = readMarks(object);
  if (marks.kind !== "read" || marks.run === undefined || marks.byHand !== undefined) return [];
  return [{ judged, run: marks.run, failed: marks.failed }];
}

/** The traces of a run in a cluster: its annotations on workloads, or on namespaces that move as a unit. */
interface Evidence {
  readonly run: RunRecord;
  readonly classes: RunInCluster | undefined;
  readonly marked: readonly AnnotatedObject[];
}

function collectEvidence({ judged, views }: Evaluation, cluster: string, run: RunRecord): Evidence {
  const marked = [...(judged.get(cluster) ?? [])].flatMap((each) => {
    const own = readMarked(each, each.workload);
    return own.length > 0 ? own : readMarked(each, each.inventory.namespace);
  });
  const classes = views.find((view) => view.run.id === run.id)?.clusters.get(cluster);
  return { run, classes, marked: marked.filter((each) => each.run.run === run.id) };
}

function listFailures({ marked }: Evidence, timeoutMs: number): readonly SailFailure[] {
  return marked
    .flatMap(({ judged, run, failed }) => {
      if (failed === undefined || failed.revision !== run.target) return [];
      const { namespace, name, kind } = judged.workload;
      const timestamp = printSeconds(parseTime(failed.at));
      return [{ namespace, name, kind, reason: nameSailReason(failed.reason, judged, timeoutMs), timestamp }];
    })
    .toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}

/** For open runs by the workloads' classes; for ended ones by the annotations. */
function countMigrated(
  { classes, marked }: Evidence,
  failed: number,
): { readonly total: number; readonly migrated: number } {
  if (classes === undefined) return { total: marked.length, migrated: marked.length - failed };
  const migrated = classes.count(["migrated"]);
  return { migrated, total: migrated + countLeftIn(classes) + failed };
}

/** The run's target: its campaign's, or the one in its own annotations and pending workloads. */
function findTarget(head: Spec, { run, classes, marked }: Evidence): string | undefined {
  const campaign = head.campaigns.get(run.campaign ?? "");
  const [pending] = classes?.list(leftClasses) ?? [];
  return campaign?.target ?? pending?.desired ?? marked[0]?.run.target;
}

function nameState(snapshot: Snapshot, { run, classes }: Evidence, failed: number): SailMigration["state"] {
  const stops = collectStops(snapshot.ledger, snapshot.requests, snapshot.clusters.values(), undefined);
  const isStopped = findRunGuardStop(stops, run.id) !== undefined;
  const isOver = run.state !== "open" || countLeftIn(classes) === 0;
  if (!isOver && !isStopped) return "InProgress";
  return failed > 0 || isStopped ? "Failed" : "Completed";
}

/** The present batch; all when it is complete, and after failures the number of completed ones. */
function countSailBatches(
  { classes }: Evidence,
  size: number,
  state: SailMigration["state"],
  counts: { readonly total: number; readonly migrated: number },
): NonNullable<SailMigration["batched"]> {
  const of = Math.max(1, Math.ceil(counts.total / size));
  if (state === "Failed") return { currentBatch: Math.floor(counts.migrated / size), totalBatches: of };
  if (state === "Completed" || classes === undefined) return { currentBatch: of, totalBatches: of };
  return { currentBatch: countBatches(classes, size).batch, totalBatches: of };
}

/** When nothing was left in the cluster; undefined while something is. */
function findCompletion({ run, classes }: Evidence, cluster: string): string | undefined {
  if (run.state === "open" && countLeftIn(classes) > 0) return undefined;
  return lookUp(run.clusters, cluster)?.doneAt ?? run.endedAt;
}

function describeMigration(snapshot: Snapshot, head: Spec, evidence: Evidence, cluster: string): SailMigration {
  const { run } = evidence;
  const { batch, strategy } = settingsOf(head, run);
  const failures = listFailures(evidence, batch.readinessTimeout);
  const counts = countMigrated(evidence, failures.length);
  const state = nameState(snapshot, evidence, failures.length);
  const [target, startTime] = [findTarget(head, evidence), lookUp(run.clusters, cluster)?.openedAt ?? run.startedAt];
  const completionTime = findCompletion(evidence, cluster);
  return {
    state,
    ...(target === undefined ? {} : { targetRevision: target }),
    totalWorkloads: counts.total,
    migratedWorkloads: counts.migrated,
    failedWorkloads: failures.length,
    ...(failures.length === 0 ? {} : { failures: failures.slice(-kept) }),
    startTime: printSeconds(parseTime(startTime)),
    ...(completionTime === undefined ? {} : { completionTime: printSeconds(parseTime(completionTime)) }),
    ...(strategy !== "Window" ? { batched: countSailBatches(evidence, batch.batchSize, state, counts) } : {}),
  };
}

/** The newest run in the cluster; with a name only that campaign's. */
function findRun({ ledger }: Snapshot, cluster: string, campaign: string | undefined): RunRecord | undefined {
  const runs = Object.values(ledger?.runs ?? {}).filter(
    (run) =>
      run.state !== "gone" &&
      lookUp(run.clusters, cluster) !== undefined &&
      (campaign ?? run.campaign) === run.campaign,
  );
  return runs.toSorted((a, b) => b.order - a.order)[0];
}

/**
 * Every cluster's newest migration in the form of Sail's proposal, by name. It walks over every workload, on a person's
 * request.
 */
export function describeSail(
  snapshot: Snapshot,
  head: Spec,
  evaluation: Evaluation,
  campaign?: string,
): readonly SailCluster[] {
  return [...snapshot.clusters.keys()].toSorted().map((cluster) => {
    const run = findRun(snapshot, cluster, campaign);
    const workloadMigration: SailMigration =
      run === undefined
        ? { state: "Idle" }
        : describeMigration(snapshot, head, collectEvidence(evaluation, cluster, run), cluster);
    return { cluster, status: { workloadMigration } };
  });
}
