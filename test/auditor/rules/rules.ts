import { answerOf, batchSizeOf, isReadable } from "../reading/assignment.ts";
import { campaignBatchSize } from "../reading/campaigns.ts";
import type { AuditedCluster, AuditedCommit, AuditedObject, Evidence, Violation } from "../evidence/evidence.ts";
import {
  followObjects,
  nameObject,
  readNamespace,
  readRunMark,
  readTarget,
  replaySteering,
  type SteeringWrite,
} from "../reading/replay.ts";
import { listChanges } from "../reading/returns.ts";

/** A rule answers every breach it finds. */
export type Rule = (evidence: Evidence) => readonly Violation[];

const ours = "meshroll";

function report(rule: string, cluster: AuditedCluster, path: string, what: string): Violation {
  return { rule, cluster: cluster.name, path, what };
}

/** The commit that was main's head then at the latest; what cannot be read asks for nothing new. */
function headAt({ main }: Evidence, at: number): AuditedCommit | undefined {
  return main.findLast((commit) => commit.at <= at && isReadable(commit.rollouts));
}

/** Every commit that an executor may have taken for main's head then: the newest, and those that it has just replaced. */
function headsAt(evidence: Evidence, at: number): readonly AuditedCommit[] {
  const merged = evidence.main.filter((commit) => commit.at <= at && isReadable(commit.rollouts));
  const known = merged.findLastIndex((commit) => (commit.atLatest ?? commit.at) + (evidence.graceMs ?? 0) <= at);
  return merged.slice(Math.max(0, known));
}

/** No write without a merged commit that demands it: head at that moment asks for the target, or the write is an undo. */
export const demanded: Rule = (evidence) =>
  evidence.clusters.flatMap((cluster) =>
    replaySteering(cluster).flatMap((each) => {
      if (each.isUndo) return [];
      const namespace = readNamespace(each.write.path);
      const target = readTarget(each);
      const heads = headsAt(evidence, each.write.at);
      const asked = heads.map(({ rollouts, settings }) => answerOf(rollouts, settings, namespace));
      if (target !== undefined && asked.includes(target)) return [];
      const head = heads.at(-1)?.sha.slice(0, 12) ?? "no commit";
      const why = `moved to ${target ?? "nothing"} while main (${head}) asks for ${asked.at(-1) ?? "nothing"}`;
      return [report("demanded", cluster, each.write.path, why)];
    }),
  );

/** So many more tries than the first one a person's `retry` allowed the run on this workload. */
function countForgiven({ ledger }: Evidence, run: string, key: string): number {
  const retried = ledger?.runs.find(({ id }) => id === run)?.retried ?? {};
  return Math.max(0, retried[key] ?? 0, retried[key.replace(/\/.*/, "/*")] ?? 0);
}

/** An undo of what main does not ask for any more: the way back was main's, and not that of a failure. */
function isTakenBack(evidence: Evidence, each: SteeringWrite): boolean {
  const undone = readTarget({ ...each, before: each.after, after: each.before });
  const { at, path } = each.write;
  const asked = headsAt(evidence, at).map(({ rollouts, settings }) =>
    answerOf(rollouts, settings, readNamespace(path)),
  );
  return each.isUndo && asked.some((revision) => revision !== undone);
}

/**
 * At most one template per (workload, target, retry): never restarted twice for one revision, unless main had it elsewhere
 * in between.
 */
export const restartedOnce: Rule = (evidence) =>
  evidence.clusters.flatMap((cluster) => {
    const counts = new Map<string, Map<string, number>>();
    const writes = replaySteering(cluster).filter(({ isWorkload }) => isWorkload);
    return writes.flatMap((each) => {
      const { identity, write } = each;
      const mark = readRunMark(write);
      if (mark === undefined && isTakenBack(evidence, each)) counts.delete(identity);
      if (mark === undefined) return [];
      const target = readTarget(each) ?? "";
      const isForgiven = mark.attempt - 1 <= countForgiven(evidence, mark.run, nameObject(cluster.name, write.path));
      const attempt = isForgiven ? mark.attempt : 1;
      const template = `${target} ${each.after.label} ${each.after.restartedFor} ${attempt}`;
      const before = counts.get(identity) ?? new Map<string, number>();
      // A way there and back is two moves that main asked for: the third one repeats neither.
      const kept = [...before].filter(([key]) => key.startsWith(`${target} `));
      const count = (before.get(template) ?? 0) + 1;
      counts.set(identity, new Map([...kept, [template, count]]));
      return count === 1
        ? []
        : [report("restartedOnce", cluster, write.path, `restarted ${count} times for ${target}`)];
    });
  });

function isInMesh(object: AuditedObject): boolean {
  return (
    object.injectedPods === "unknown" ||
    object.injectedPods > 0 ||
    object.template?.labels["istio.io/rev"] !== undefined ||
    object.template?.labels["sidecar.istio.io/inject"] === "true"
  );
}

function whyUnmanaged(object: AuditedObject): string | undefined {
  const { template } = object;
  if (template === undefined) return undefined;
  if (template.labels["sidecar.istio.io/inject"] === "false") return "it opted out of injection";
  if (template.hostNetwork) return "it uses the host network";
  if (template.annotations["inject.istio.io/templates"] === "gateway" || "gateway.istio.io/managed" in template.labels)
    return "it is a gateway";
  return isInMesh(object) ? undefined : "it is not in the mesh";
}

/** What is not in the mesh, opted out, or the platform's is never written. */
export const unmanagedUntouched: Rule = (evidence) =>
  evidence.clusters.flatMap((cluster) => {
    const objectAt = followObjects(cluster);
    return cluster.writes.flatMap((write) => {
      if (write.fieldManager !== ours || write.status >= 300) return [];
      const namespace = readNamespace(write.path);
      if (/^\/api\/v1\/namespaces\/meshroll-system(\/configmaps\/.*)?$/.test(write.path)) return [];
      if (write.path === "/api/v1/namespaces" || write.path === "/api/v1/namespaces/meshroll-system/configmaps")
        return [];
      const isPlatform = /^(kube-.*|istio-system|meshroll-system)$/.test(namespace);
      const object = objectAt(write.path, write.version);
      const why = isPlatform
        ? "its namespace is the platform's"
        : object === undefined
          ? undefined
          : whyUnmanaged(object);
      return why === undefined ? [] : [report("unmanagedUntouched", cluster, write.path, `written although ${why}`)];
    });
  });

/** A write of ours, or a moment at which a workload was seen settled or not, in the order of the API server. */
interface Moment {
  readonly version: number;
  readonly path: string;
  readonly write?: SteeringWrite;
  readonly settled: boolean;
}

function listMoments(cluster: AuditedCluster): readonly Moment[] {
  const writes = replaySteering(cluster).filter((each) => each.isWorkload);
  return [
    ...cluster.statuses.map(({ version, path, settled }) => ({ version, path, settled })),
    ...writes.map((write) => ({ version: write.write.version, path: write.write.path, write, settled: false })),
  ].toSorted((a, b) => a.version - b.version);
}

/** A move by a run that set the workload's bucket back. */
function isReturn(back: ReadonlySet<string>, { write }: SteeringWrite): boolean {
  return back.has(readRunMark(write)?.run ?? "");
}

/** Never more in motion than head's batchSize: at each forward write, what we wrote before and has not settled since is counted. */
export const withinBatchSize: Rule = (evidence) =>
  evidence.clusters.flatMap((cluster) => {
    const rolling = new Set<string>();
    const returns = listChanges(evidence.main).filter(({ back }) => back.size > 0);
    const back = new Set(returns.map(({ commit }) => commit.sha.slice(0, 12)));
    const givenUp = new Set(evidence.ledger?.runs.flatMap(({ aside }) => aside));
    return listMoments(cluster).flatMap(({ write, settled, path }) => {
      if (write === undefined) {
        if (settled) rolling.delete(path);
        return [];
      }
      const head = headAt(evidence, write.write.at);
      const run = evidence.ledger?.runs.find(({ id }) => id === readRunMark(write.write)?.run);
      const goesBack = isReturn(back, write);
      const limit = campaignBatchSize(head, run, goesBack) ?? batchSizeOf(head?.settings, goesBack);
      // What never was well may never settle: put back, and named as given up, it is nobody's restart any more.
      if (write.isUndo && givenUp.has(nameObject(cluster.name, path))) rolling.delete(path);
      else rolling.add(path);
      if (rolling.size <= limit || write.isUndo) return [];
      const names = [...rolling].map((each) => each.split("/namespaces/")[1]).join(", ");
      return [
        report("withinBatchSize", cluster, path, `${rolling.size} roll at once, batchSize is ${limit}: ${names}`),
      ];
    });
  });

/** Every move names a run, and the run is a merged commit that the ledger knows. */
export const namedByLedger: Rule = (evidence) =>
  evidence.clusters.flatMap((cluster) =>
    cluster.writes.flatMap((write) => {
      const id = readRunMark(write)?.run;
      if (write.fieldManager !== ours || write.status >= 300 || id === undefined) return [];
      if (!evidence.ledgerRuns.includes(id))
        return [report("namedByLedger", cluster, write.path, `run ${id} is not in the ledger`)];
      return evidence.main.some((commit) => commit.sha.startsWith(id))
        ? []
        : [report("namedByLedger", cluster, write.path, `run ${id} is no commit of main`)];
    }),
  );

/** Edits of `rollouts.yml` by meshroll change digits only. */
export const digitsOnly: Rule = (evidence) =>
  evidence.main.flatMap((commit, index) => {
    const before = evidence.main[index - 1];
    if (before === undefined || !commit.author.startsWith(ours)) return [];
    const strip = (text: string) => text.replace(/\d+(?=\s*(?:#.*)?$)/gm, "0");
    if (strip(before.rollouts) === strip(commit.rollouts)) return [];
    return [
      {
        rule: "digitsOnly",
        cluster: "",
        path: "rollouts.yml",
        what: `commit ${commit.sha.slice(0, 12)} changes more than percentages`,
      },
    ];
  });
