import { lookUp } from "#libs/input";

import {
  findClosed,
  findOtherUid,
  findRevisionObstacle,
  findRollbackObstacle,
  isOtherCluster,
} from "../../conditions/index.ts";
import type { BatchItem } from "../../records/index.ts";
import { listRolledBackBuckets, settingsOver } from "../../main/index.ts";
import { type ActiveStop, coversSubject, findRevertedRun, nameStop } from "../../stops/index.ts";
import type { JudgedWorkload } from "../../workloads/index.ts";
import { describeSubject } from "../batch-choice.ts";
import { findUnconfirmed, isRolledBackNow, isItemRolledBackNow } from "./confirmed.ts";
import { type ExecutorSnapshot, findRunById, type ItemCheck, type JobFacts, type Permit, refuse } from "./facts.ts";
import { checkRoom } from "./check-room.ts";

type Check = (snapshot: ExecutorSnapshot, job: JobFacts) => Permit | undefined;

const checkLock: Check = (_, job) => (job.holdsLock ? undefined : refuse("end", { code: "LockLost" }));

/** Any login of Redis that knows the cluster's UID can make a job, so the ledger decides in which cluster the run was begun. */
const checkIdentity: Check = ({ cluster: { name, facts }, ledger }, { run, clusterUid }) => {
  const own = findRunById(ledger, run);
  const isNamed = clusterUid !== "" && facts.uid === clusterUid;
  const isOther = isOtherCluster(facts, ledger) || (own !== undefined && findOtherUid(facts, [own]) !== undefined);
  return isNamed && !isOther ? undefined : refuse("end", { code: "OtherCluster", cluster: name });
};

const checkClaim: Check = ({ claim, cluster }) => {
  if (claim === "none") return refuse("wait", { code: "ClusterUnclaimed", cluster: cluster.name });
  return claim === "own" ? undefined : refuse("end", { code: "ClusterOfOther", cluster: cluster.name });
};

const checkFresh: Check = (snapshot) =>
  snapshot.cluster.fresh
    ? undefined
    : refuse("wait", { code: "ClusterUnreachable", cluster: snapshot.cluster.name, hinders: { kind: "patch" } });

const checkControl: Check = (snapshot, job) => {
  if (snapshot.control === "stale") return refuse("wait", { code: "ControlUnknown" });
  return isRolledBackNow(snapshot, job) ? undefined : findUnconfirmed(snapshot);
};

/** Whether a rollback of the run is in force: it continues when the run is over, and while main does not parse (rules 2.4). */
function isReverted({ stops, ledger }: ExecutorSnapshot, { run }: JobFacts): boolean {
  return stops.some((stop) => findRevertedRun(stop, ledger)?.id === run);
}

const checkRun: Check = (snapshot, job) => {
  const reverted = isReverted(snapshot, job);
  if (snapshot.ledger === undefined || (snapshot.head === undefined && !reverted)) {
    return refuse("end", { code: "NothingReadable" });
  }
  const run = findRunById(snapshot.ledger, job.run);
  const isServed = run !== undefined && (run.state === "open" || reverted);
  if (!isServed) return refuse("end", { code: "RunOver", run: job.run });
  if (!job.isContained) return refuse("end", { code: "CommitGone", commit: run.commit });
  return undefined;
};

/** In this order: may this executor write at all, are its facts current, is the run served. */
const jobChecks: readonly Check[] = [checkLock, checkIdentity, checkClaim, checkFresh, checkControl, checkRun];

/** Whether this job may continue at all. Asked before each patch and while it waits. */
export function permitJob(snapshot: ExecutorSnapshot, job: JobFacts): Permit {
  for (const check of jobChecks) {
    const verdict = check(snapshot, job);
    if (verdict !== undefined) return verdict;
  }
  const stop = snapshot.stops.find((each) => isWholeJob(each, snapshot, job));
  return stop === undefined ? { kind: "go" } : refuse("end", nameStop(stop));
}

/** Whether a batch must settle before the next one, by the run's settings and not by what the job says. */
export function isBatched(snapshot: ExecutorSnapshot, job: Pick<JobFacts, "run">): boolean {
  return settingsOver(snapshot, findRunById(snapshot.ledger, job.run))?.strategy !== "Window";
}

/**
 * Whether a stop holds the whole job. The workloads of a run with a rollback are checked one by one, because few stops hold a
 * rollback (rules 2.3).
 */
function isWholeJob(stop: ActiveStop, snapshot: ExecutorSnapshot, job: JobFacts): boolean {
  const run = findRunById(snapshot.ledger, job.run);
  const subject = { cluster: snapshot.cluster.name, run: job.run, campaign: run?.campaign, namespace: "", bucket: "" };
  const goesBack = isReverted(snapshot, job) || (run !== undefined && listRolledBackBuckets(run).length > 0);
  return goesBack ? stop.id === "kubectl" && coversSubject(stop, subject) : coversSubject(stop, subject);
}

const checkDemand: ItemCheck = (_, job, item, judged) =>
  judged.desired === item.target && judged.run?.id === job.run
    ? undefined
    : refuse("skip", {
        code: "NotDemanded",
        namespace: item.namespace,
        desired: judged.desired,
        target: item.target,
      });

/** A workload that was unhealthy before the run comes last, when no other is due (rules 3.3), except in a rollback. */
const checkTurn: ItemCheck = ({ judged }, { run }, _, { state, key, rollbackSince }) => {
  if (state.kind !== "pending") return refuse("skip", { code: "NotPending", workload: key, state: state.kind });
  const isLast = state.unhealthyBefore && rollbackSince === undefined && judged.count({ run, is: "pending" }) > 0;
  return isLast ? refuse("skip", { code: "TriedLast", workload: key }) : undefined;
};

/** Where a namespace's label decides, one namespace moves at a time, one that has begun and that no stop holds first (rules 5.2). */
const checkUnit: ItemCheck = ({ judged, cluster, stops }, { run }, { namespace }, { site }) => {
  if (site.kind !== "namespace") return undefined;
  for (const each of judged.list("begun")) {
    const { workload } = each;
    if (workload.namespace === namespace) return undefined;
    if (stops.some((stop) => coversSubject(stop, describeSubject(each, run)))) continue;
    return refuse("skip", { code: "NamespaceBegun", cluster: cluster.name, namespace: workload.namespace });
  }
  return undefined;
};

/** Without a confirmation by git, only workloads that a `rollback --now` moves back go on. */
const checkConfirmed: ItemCheck = (snapshot, job, _, { rollbackSince }) =>
  isItemRolledBackNow(snapshot, job, rollbackSince) ? undefined : findUnconfirmed(snapshot);

const checkItemStops: ItemCheck = (snapshot, job, _, judged) => {
  const stop = snapshot.stops.find((each) => coversSubject(each, describeSubject(judged, job.run)));
  return stop === undefined ? undefined : refuse("skip", nameStop(stop));
};

/** A rollback ignores waves (rules 2.3). */
const checkWave: ItemCheck = (snapshot, job, _, { rollbackSince }) =>
  rollbackSince !== undefined ||
  lookUp(findRunById(snapshot.ledger, job.run)?.clusters, snapshot.cluster.name) !== undefined
    ? undefined
    : refuse("end", { code: "WaveClosed", cluster: snapshot.cluster.name });

/**
 * A window that closed with `atEnd: stop` holds every forward patch; with another `atEnd` the job in hand is finished (rules
 * 7.1).
 */
const checkCalendar: ItemCheck = ({ head, ledger, now }, job, _, { rollbackSince }) => {
  const closed =
    head === undefined || rollbackSince !== undefined ? undefined : findClosed(head, findRunById(ledger, job.run), now);
  return closed?.atEnd === "stop" ? refuse("skip", { code: "WindowClosed", cause: closed.cause }) : undefined;
};

const checkRevision: ItemCheck = (snapshot, _, __, judged) => {
  const find = judged.rollbackSince === undefined ? findRevisionObstacle : findRollbackObstacle;
  const obstacle = find(snapshot.cluster.facts, judged.desired);
  // The planner hands the job out again and shows the obstacle meanwhile; a job that waited here would show nothing.
  return obstacle === undefined ? undefined : refuse("end", obstacle);
};

/** Room comes last: everything before it may end the wait for room. */
const itemChecks: readonly ItemCheck[] = [
  checkDemand,
  checkTurn,
  checkConfirmed,
  checkUnit,
  checkWave,
  checkItemStops,
  checkCalendar,
  checkRevision,
  checkRoom,
];

/**
 * Whether this workload may be patched now. `judged` is its state by this executor's own main and cache, undefined when the
 * workload is gone.
 */
export function permitPatch(
  snapshot: ExecutorSnapshot,
  job: JobFacts,
  item: BatchItem,
  judged: JudgedWorkload | undefined,
): Permit {
  const whole = permitJob(snapshot, job);
  if (whole.kind !== "go") return whole;
  if (judged === undefined || judged.workload.uid !== item.uid) {
    const name = `${item.namespace}/${item.kind}/${item.name}`;
    return refuse("skip", { code: "Gone", workload: name });
  }
  for (const check of itemChecks) {
    const verdict = check(snapshot, job, item, judged);
    if (verdict !== undefined) return verdict;
  }
  return { kind: "go" };
}
