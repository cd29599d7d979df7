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
import { findUnconfirmed, isBraked, isBrakedItem } from "./confirmed.ts";
import { type ExecutorSnapshot, findRunById, type ItemCheck, type JobFacts, type Permit, refuse } from "./facts.ts";
import { checkRoom } from "./check-room.ts";

type Check = (snapshot: ExecutorSnapshot, job: JobFacts) => Permit | undefined;

const checkLock: Check = (_, job) => (job.holdsLock ? undefined : refuse("end", { code: "LockLost" }));

/** A job can be made by a login that knows which UID answers now: the ledger says in which cluster its run was begun. */
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
  return isBraked(snapshot, job) ? undefined : findUnconfirmed(snapshot);
};

/** A rollback in force goes on for a run that is over, and while main does not parse (rules 2.4). */
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

/** In this order: who may act at all, on which facts, for which run. */
const jobChecks: readonly Check[] = [checkLock, checkIdentity, checkClaim, checkFresh, checkControl, checkRun];

/** May this job go on at all? Asked before each patch and while it only waits. */
export function permitJob(snapshot: ExecutorSnapshot, job: JobFacts): Permit {
  for (const check of jobChecks) {
    const verdict = check(snapshot, job);
    if (verdict !== undefined) return verdict;
  }
  const stop = snapshot.stops.find((each) => isWholeJob(each, snapshot, job));
  return stop === undefined ? { kind: "go" } : refuse("end", nameStop(stop));
}

/** Does it settle before the next one? By what its run moves by, never by the job's word. */
export function isBatched(snapshot: ExecutorSnapshot, job: Pick<JobFacts, "run">): boolean {
  return settingsOver(snapshot, findRunById(snapshot.ledger, job.run))?.strategy !== "Window";
}

/** A job of a run that is rolled back is judged item by item: few stops hold a rollback (rules 2.3). */
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

/** Who was unhealthy before the run comes last, when no other is due (rules 3.3); a rollback does not wait for the sick. */
const checkTurn: ItemCheck = ({ judged }, { run }, _, { state, key, rollbackSince }) => {
  if (state.kind !== "pending") return refuse("skip", { code: "NotPending", workload: key, state: state.kind });
  const isLast = state.unhealthyBefore && rollbackSince === undefined && judged.count({ run, is: "pending" }) > 0;
  return isLast ? refuse("skip", { code: "TriedLast", workload: key }) : undefined;
};

/** Namespaces whose label decides move one at a time, the one begun before any other (rules 5.2). */
const checkUnit: ItemCheck = ({ judged, cluster }, _, { namespace }, { site }) => {
  if (site.kind !== "namespace") return undefined;
  for (const { workload } of judged.list("begun")) {
    if (workload.namespace === namespace) return undefined;
    return refuse("skip", { code: "NamespaceBegun", cluster: cluster.name, namespace: workload.namespace });
  }
  return undefined;
};

/** Of a run that is rolled back at once only what the rollback brings back goes on without git. */
const checkConfirmed: ItemCheck = (snapshot, job, _, { rollbackSince }) =>
  isBrakedItem(snapshot, job, rollbackSince) ? undefined : findUnconfirmed(snapshot);

const checkItemStops: ItemCheck = (snapshot, job, _, judged) => {
  const stop = snapshot.stops.find((each) => coversSubject(each, describeSubject(judged, job.run)));
  return stop === undefined ? undefined : refuse("skip", nameStop(stop));
};

/** A rollback heeds no wave (rules 2.3). */
const checkWave: ItemCheck = (snapshot, job, _, { rollbackSince }) =>
  rollbackSince !== undefined ||
  lookUp(findRunById(snapshot.ledger, job.run)?.clusters, snapshot.cluster.name) !== undefined
    ? undefined
    : refuse("end", { code: "WaveClosed", cluster: snapshot.cluster.name });

/** A window that closed with `atEnd: stop` holds every forward patch; what is in hand ends otherwise (rules 7.1). */
const checkCalendar: ItemCheck = ({ head, ledger, now }, job, _, { rollbackSince }) => {
  const closed =
    head === undefined || rollbackSince !== undefined ? undefined : findClosed(head, findRunById(ledger, job.run), now);
  return closed?.atEnd === "stop" ? refuse("skip", { code: "WindowClosed", cause: closed.cause }) : undefined;
};

const checkRevision: ItemCheck = (snapshot, _, __, judged) => {
  const find = judged.rollbackSince === undefined ? findRevisionObstacle : findRollbackObstacle;
  const obstacle = find(snapshot.cluster.facts, judged.desired);
  // The planner hands it out again, and names the cause meanwhile: a job that only waits says nothing.
  return obstacle === undefined ? undefined : refuse("end", obstacle);
};

/** The room is looked at last: everything else may end the wait for it. */
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

/** May this workload be patched now? `judged` is its state by this executor's own main and cache, undefined when it is gone. */
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
