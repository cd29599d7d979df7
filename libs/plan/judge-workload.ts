import { isManagedNamespace } from "#libs/campaign";
import {
  isRollingByOwner,
  isRollingByUs,
  judgeArrival,
  judgeHealth,
  type NamespaceInventory,
  parseMarks,
  type ReadMarks,
  readRunning,
  type Workload,
} from "#libs/fleet";
import {
  effectiveRevision,
  findSite,
  findStandingWrite,
  isRelabelledFor,
  judgeManaged,
  judgeRefused,
  judgeTakenBack,
  resolveTarget,
  type Site,
} from "#libs/injection";

import { isUnavailable } from "./availability.ts";
import type { Ownership } from "./ownership.ts";
import type { Blocker, Standing, WorkloadStanding } from "./standing.ts";
import { nameInFleet, nameWorkload } from "./workload-key.ts";
import type { ClusterWorld, Spec } from "./world.ts";

/** What all workloads of a cluster are judged by. */
export interface JudgeContext {
  readonly cluster: Pick<ClusterWorld, "name" | "facts">;
  readonly head: Spec;
  readonly ownerOf: (namespace: string) => Ownership;
  readonly now: number;
  /** `now`-time since when workloads wait for their owner, by `cluster:namespace/Kind/name`; empty where nobody watched. */
  readonly waitingSince: ReadonlyMap<string, number>;
}

interface Case extends JudgeContext {
  readonly inventory: NamespaceInventory;
  readonly workload: Workload;
  readonly site: Site;
  readonly owned: Ownership;
  readonly key: string;
}

const nothingRead: ReadMarks = { kind: "read", skipMigration: false };

/** Marks that a person broke are refused before anything is read off them. */
function readMarks(annotations: Readonly<Record<string, string>>): ReadMarks {
  const marks = parseMarks(annotations);
  return marks.kind === "read" ? marks : nothingRead;
}

/** Does it run what the file asks for? After a move of ours also: did it arrive? */
function isThere({ workload, inventory, cluster, owned }: Case): boolean {
  const target = resolveTarget(cluster.facts, owned.desired);
  const effective = effectiveRevision(inventory.namespace, workload, cluster.facts);
  const evidence = effective.revision === undefined ? {} : { resolvesTo: effective.revision };
  if (judgeArrival(workload, target, evidence).kind === "arrived") return effective.revision === target;
  const running = readRunning(workload);
  const isOnTarget = effective.revision === target && running.kind === "all" && running.revision === target;
  const write = findStandingWrite(workload);
  const isOurs = write !== undefined && write.run.target === owned.desired && owned.run !== undefined;
  // What we moved must have arrived; what arrived once stays there though a node takes its pods away later.
  return isOnTarget && (!isOurs || hasArrivedOnce(workload));
}

function hasArrivedOnce(workload: Workload): boolean {
  return workload.rolledOut === true && workload.observedGeneration >= workload.generation;
}

/** A mark for this target, on the workload or on its whole namespace: never tried again without a verb. */
function findFailure({ workload, inventory, owned, key }: Case): Standing | undefined {
  for (const annotations of [workload.annotations, inventory.namespace.annotations]) {
    const { failed, run } = readMarks(annotations);
    if (failed?.revision !== owned.desired) continue;
    // Only marks of this run count as its failures; an earlier run's mark still keeps the workload aside.
    const isOfThisRun = owned.run !== undefined && run?.run === owned.run.id;
    const isOwn = annotations === workload.annotations;
    const marked = isOwn ? key : `${inventory.namespace.name}/*`;
    const reason = `${failed.reason} at ${failed.at}${isOwn ? "" : ` (its namespace failed as one)`}`;
    return isOfThisRun ? { kind: "aside", reason, failed: marked } : { kind: "aside", reason };
  }
  return undefined;
}

/** Unhealthy before the run, tried once at its end, and put back. */
function isTriedAndUndone({ workload, owned }: Case): boolean {
  const { run, previous } = readMarks(workload.annotations);
  return run?.target === owned.desired && run.unhealthyBefore && previous === undefined;
}

/** What ended the move for good, without being our failure. */
function findEnd(each: Case): Standing | undefined {
  const { workload, inventory, owned, site } = each;
  const objects = site.kind === "namespace" ? [inventory.namespace, workload] : [workload];
  for (const object of objects) {
    const taken = judgeTakenBack(object);
    if (taken?.target === owned.desired) return { kind: "aside", reason: taken.reason };
  }
  return isTriedAndUndone(each)
    ? { kind: "aside", reason: "UnhealthyBefore: unhealthy before and after its one try" }
    : undefined;
}

/** Written by us towards the desired revision and still on its way, while a run asks for it. */
function findMove({ workload, owned, cluster }: Case): Standing | undefined {
  const write = findStandingWrite(workload);
  if (write?.run.target !== owned.desired || owned.run === undefined) return undefined;
  const arrival = judgeArrival(workload, resolveTarget(cluster.facts, owned.desired));
  return { kind: "moving", reason: arrival.kind === "arrived" ? "NotObserved" : arrival.reason };
}

function findBlocker({
  workload,
  site,
  owned,
  cluster,
}: Case): { readonly by: Blocker; readonly reason: string } | undefined {
  if (site.kind === "tag" && site.revision !== resolveTarget(cluster.facts, owned.desired)) {
    return {
      by: "tag",
      reason: `revision tag ${site.tag} points to ${site.revision}: its owner moves it to ${owned.desired} first`,
    };
  }
  if (workload.paused) return { by: "paused", reason: "its owner paused its rollouts (spec.paused)" };
  if (isRollingByOwner(workload)) return { by: "ownerRollout", reason: "its owner is rolling it out" };
  if (workload.replicas > 0 && workload.disruptionsAllowed === 0) {
    return { by: "disruptionBudget", reason: "its PodDisruptionBudget allows no disruption" };
  }
  return undefined;
}

/** Waiting for an owner ends after `readinessTimeout`; waiting for a tag does not: its owner is named and asked (rules 3.1, 5.3). */
function judgeBlocker(each: Case, blocker: { readonly by: Blocker; readonly reason: string }): Standing {
  const since = each.waitingSince.get(nameInFleet(each.cluster.name, each.key));
  const limit = each.head.settings.batch.readinessTimeout;
  const isOver = blocker.by !== "tag" && since !== undefined && each.now - since >= limit;
  return isOver ? { kind: "aside", reason: `${blocker.reason}, for too long` } : { kind: "blocked", ...blocker };
}

type Question = (each: Case) => Standing | undefined;

const findUnmanaged: Question = ({ workload, inventory, cluster, head }) => {
  const { namespace } = inventory;
  const answer = isManagedNamespace(head.settings, namespace.name, namespace.labels);
  const namespaceManaged = answer.managed ? true : answer.reason;
  const managed = judgeManaged({ namespaceManaged, namespace, workload, cluster: cluster.facts });
  return managed.managed ? undefined : { kind: "unmanaged", reason: managed.reason };
};

const findThere: Question = (each) => (isThere(each) ? { kind: "there" } : undefined);

const findRefusal: Question = ({ workload, inventory, cluster, owned }) => {
  const refusal = judgeRefused(inventory.namespace, workload, cluster.facts, owned.desired);
  return refusal.refused ? { kind: "aside", reason: refusal.reason } : undefined;
};

/** The owner's turn. A budget that allows nothing because pods are down already is no reason to wait: the try at the end is. */
const findOwnersTurn: Question = (each) => {
  const blocker = findBlocker(each);
  const isSick = !judgeHealth(each.workload).healthy;
  return blocker === undefined || (isSick && blocker.by === "disruptionBudget")
    ? undefined
    : judgeBlocker(each, blocker);
};

/**
 * In this order. What ended the move comes before refusals: a label that somebody put back may look like a
 * contradiction, and its cause is what people need.
 */
const questions: readonly Question[] = [
  findUnmanaged,
  findThere,
  findFailure,
  findEnd,
  findRefusal,
  findMove,
  findOwnersTurn,
];

function chooseStanding(each: Case): Standing {
  for (const ask of questions) {
    const standing = ask(each);
    if (standing !== undefined) return standing;
  }
  const { run } = readMarks(each.workload.annotations);
  const attempt = run?.target === each.owned.desired ? run.attempt : 1;
  return { kind: "due", unhealthyBefore: !judgeHealth(each.workload).healthy, attempt };
}

/** A write of ours is still going through: a move that a run asks for, or an undo, which gets no longer than a move. */
function isRollingNow(each: Case, standing: Standing): boolean {
  if (standing.kind === "unmanaged") return false;
  if (standing.kind === "moving") return true;
  const { failed, previous } = readMarks(each.workload.annotations);
  if (!isRollingByUs(each.workload)) return false;
  // Where somebody else changed what we wrote, it is their rollout: it may never end, and must not take our places.
  if (previous !== undefined) return failed === undefined && findStandingWrite(each.workload) !== undefined;
  // A workload that was sick before its try may never settle after it, either: nobody waits for that.
  if (failed === undefined) return !isTriedAndUndone(each);
  return each.now - parseTime(failed.at) < each.head.settings.batch.readinessTimeout;
}

/** Epoch ms of an ISO time that `parseMarks` accepted. Pure: a calendar, not a clock. */
function parseTime(iso: string): number {
  // oxlint-disable-next-line no-restricted-globals -- no clock is read
  return Date.parse(iso);
}

/** Where one workload stands, by the objects, the merged files and the runs that are open. */
export function judgeWorkload(
  context: JudgeContext,
  inventory: NamespaceInventory,
  workload: Workload,
): WorkloadStanding {
  const { namespace } = inventory;
  const owned = context.ownerOf(namespace.name);
  const site = findSite(namespace, workload, context.cluster.facts, owned.desired);
  const key = nameWorkload(workload);
  const each: Case = { ...context, inventory, workload, site, owned, key };
  const standing = chooseStanding(each);
  const judged = {
    cluster: context.cluster.name,
    inventory,
    workload,
    key,
    desired: owned.desired,
    bucket: context.head.resolver.resolve(namespace.name).bucket.pattern,
    site,
    namespaceBegun: isRelabelledFor(namespace, owned.desired),
    standing,
    rolling: isRollingNow(each, standing),
    unavailable: isUnavailable(workload),
  };
  return owned.run === undefined ? judged : { ...judged, run: owned.run };
}
