import { answerOf, bucketOf, isReadable } from "../reading/assignment.ts";
import type { AuditedCluster, AuditedStop, Evidence, Violation } from "../evidence/evidence.ts";
import { nameObject, readNamespace, readRunMark, replaySteering, type SteeringWrite } from "../reading/replay.ts";
import { type Change, listChanges } from "../reading/returns.ts";

/** A write of meshroll's that moves forward, with what a stop's scope can name. */
interface Forward {
  readonly cluster: AuditedCluster;
  readonly each: SteeringWrite;
  readonly at: number;
  readonly run: string;
  readonly namespace: string;
  readonly bucket: string;
}

function findChange(changes: readonly Change[], run: string): Change | undefined {
  return run === "" ? undefined : changes.find(({ commit }) => commit.sha.startsWith(run));
}

/** Undos and returns go on under stops; everything else of ours is a forward write. */
function listForward(evidence: Evidence): readonly (Forward & { readonly isReturn: boolean })[] {
  const changes = listChanges(evidence.main);
  return evidence.clusters.flatMap((cluster) =>
    replaySteering(cluster).flatMap((each) => {
      if (each.isUndo) return [];
      const run = readRunMark(each.write)?.run ?? "";
      const namespace = readNamespace(each.write.path);
      const change = findChange(changes, run);
      const head = evidence.main.findLast(({ at, rollouts }) => at <= each.write.at && isReadable(rollouts));
      const rollouts = change?.commit.rollouts ?? head?.rollouts ?? "";
      const bucket = bucketOf(rollouts, namespace);
      const isReturn = change?.back.has(bucket) ?? false;
      return [{ cluster, each, at: each.write.at, run, namespace, bucket, isReturn }];
    }),
  );
}

/** A return is held by its own run's stop only. */
function covers({ scope }: AuditedStop, write: Forward & { readonly isReturn: boolean }): boolean {
  if (scope === `run/${write.run}`) return true;
  if (write.isReturn) return false;
  const scopes = ["all", `cluster/${write.cluster.name}`, `namespace/${write.namespace}`, `bucket/${write.bucket}`];
  return scopes.includes(scope);
}

function report(rule: string, { cluster, each }: Forward, what: string): Violation {
  return { rule, cluster: cluster.name, path: each.write.path, what };
}

/** No forward write of a covered workload between a recorded stop (and what was in the hand then) and its lift. */
export function stoppedStands(evidence: Evidence): readonly Violation[] {
  const { ledger, graceMs = 0 } = evidence;
  if (ledger === undefined) return [];
  const stops = ledger.stops.filter(({ strength }) => strength === "move");
  return listForward(evidence).flatMap((write) =>
    stops
      .filter((stop) => covers(stop, write))
      .filter(({ at, liftedAt = Number.POSITIVE_INFINITY }) => write.at > at + graceMs && write.at < liftedAt)
      .map(({ id, scope }) => report("stoppedStands", write, `moved forward under the stop ${id} of ${scope}`)),
  );
}

/** After a return nobody moves its buckets forward again before its hold, which must be there, was lifted. */
export function returnHolds(evidence: Evidence): readonly Violation[] {
  const { ledger, graceMs = 0 } = evidence;
  if (ledger === undefined) return [];
  const forward = listForward(evidence).filter(({ isReturn }) => !isReturn);
  return listChanges(evidence.main).flatMap(({ commit, back }) =>
    forward
      .filter(({ bucket, at }) => back.has(bucket) && at > (commit.atLatest ?? commit.at) + graceMs)
      .filter(({ bucket, at }) => {
        const holds = ledger.stops.filter(
          ({ scope, returnOf }) =>
            scope === `bucket/${bucket}` && returnOf !== undefined && commit.sha.startsWith(returnOf),
        );
        return holds.length === 0 || !holds.every(({ liftedAt }) => liftedAt !== undefined && liftedAt <= at);
      })
      .map((write) =>
        report(
          "returnHolds",
          write,
          `moved forward after the return ${commit.sha.slice(0, 12)}, whose hold nobody lifted`,
        ),
      ),
  );
}

/** What stands on each object in the end, by our own last write to it; what was made anew since is not ours. */
function listLast(cluster: AuditedCluster): readonly SteeringWrite[] {
  const last = new Map(replaySteering(cluster).map((each) => [each.write.path, each]));
  const anew = new Map((cluster.created ?? []).map(({ path, version }) => [path, version]));
  return [...last.values()].filter(({ write }) => (anew.get(write.path) ?? 0) <= write.version);
}

/** When a run that set buckets back is done, all its workloads are where main wants them, or named with a reason. */
export function returnedAreBack(evidence: Evidence): readonly Violation[] {
  const { ledger, main } = evidence;
  const head = main.findLast(({ rollouts }) => isReadable(rollouts));
  if (ledger === undefined || head === undefined) return [];
  const named = new Set(ledger.runs.flatMap(({ aside }) => aside));
  const changes = listChanges(main);
  const done = new Set(ledger.runs.filter(({ state }) => state === "done").map(({ id }) => id));
  // The last word on a bucket was a return, and its run says that it is through.
  const back = new Set<string>();
  for (const { commit, forward, back: set } of changes) {
    for (const pattern of forward) back.delete(pattern);
    for (const pattern of set) if (done.has(commit.sha.slice(0, 12))) back.add(pattern);
  }
  return evidence.clusters.flatMap((cluster) =>
    listLast(cluster).flatMap(({ write, after, isWorkload }) => {
      const namespace = readNamespace(write.path);
      if (!isWorkload || after.label === undefined || !back.has(bucketOf(head.rollouts, namespace))) return [];
      const asked = answerOf(head.rollouts, head.settings, namespace);
      if (after.label === asked || named.has(nameObject(cluster.name, write.path))) return [];
      const what = `left on ${after.label} by a return that is done, while main asks for ${asked ?? "nothing"}`;
      return [{ rule: "returnedAreBack", cluster: cluster.name, path: write.path, what }];
    }),
  );
}
