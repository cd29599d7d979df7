import { answerOf, batchSizeOf } from "./assignment.ts";
import type { AuditedCluster, AuditedCommit, AuditedObject, AuditedWrite, Evidence, Violation } from "./evidence.ts";
import { readNamespace, readTarget, replaySteering, type SteeringWrite } from "./replay.ts";

/** A rule answers every breach it finds. */
export type Rule = (evidence: Evidence) => readonly Violation[];

const ours = "meshroll";

function report(rule: string, cluster: AuditedCluster, path: string, what: string): Violation {
  return { rule, cluster: cluster.name, path, what };
}

function mergedBefore(evidence: Evidence, at: number): readonly AuditedCommit[] {
  return evidence.main.filter((commit) => commit.at <= at);
}

/** No write without a merged commit that demands it: head at that moment asks for the target, or the write is an undo. */
export const demanded: Rule = (evidence) =>
  evidence.clusters.flatMap((cluster) =>
    replaySteering(cluster).flatMap((each) => {
      if (each.isUndo) return [];
      const namespace = readNamespace(each.write.path);
      const target = readTarget(each);
      const head = mergedBefore(evidence, each.write.at).at(-1);
      const asked = head === undefined ? undefined : answerOf(head.rollouts, head.settings, namespace);
      if (target !== undefined && target === asked) return [];
      const why = `moved to ${target ?? "nothing"} while main (${head?.sha.slice(0, 12) ?? "no commit"}) asks for ${asked ?? "nothing"}`;
      return [report("demanded", cluster, each.write.path, why)];
    }),
  );

/** The annotations that a write of ours sets on the object. */
function readAnnotations(write: AuditedWrite): Readonly<Record<string, unknown>> {
  const body = write.body as { readonly metadata?: { readonly annotations?: Record<string, unknown> } } | undefined;
  return body?.metadata?.annotations ?? {};
}

/** At most one template per (workload, target): never restarted twice for one revision, unless a run moved it elsewhere in between. */
export const restartedOnce: Rule = (evidence) =>
  evidence.clusters.flatMap((cluster) => {
    const counts = new Map<string, Map<string, number>>();
    return replaySteering(cluster).flatMap((each) => {
      const isMove = typeof readAnnotations(each.write)["meshroll.dev/run"] === "string";
      if (!each.isWorkload || !isMove) return [];
      const { path } = each.write;
      const target = readTarget(each) ?? "";
      const template = `${target} ${each.after.label} ${each.after.restartedFor}`;
      const before = counts.get(path) ?? new Map<string, number>();
      // A way there and back is two moves that main asked for: the third one repeats neither.
      const kept = [...before].filter(([key]) => key.startsWith(`${target} `));
      const count = (before.get(template) ?? 0) + 1;
      counts.set(path, new Map([...kept, [template, count]]));
      return count === 1 ? [] : [report("restartedOnce", cluster, path, `restarted ${count} times for ${target}`)];
    });
  });

function isInMesh(object: AuditedObject): boolean {
  return (
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
    const objects = new Map(cluster.before.map((object) => [object.path, object]));
    return cluster.writes.flatMap((write) => {
      if (write.fieldManager !== ours || write.status >= 300) return [];
      const namespace = readNamespace(write.path);
      if (/^\/api\/v1\/namespaces\/meshroll-system(\/configmaps\/.*)?$/.test(write.path)) return [];
      if (write.path === "/api/v1/namespaces" || write.path === "/api/v1/namespaces/meshroll-system/configmaps")
        return [];
      const isPlatform = /^(kube-.*|istio-system|meshroll-system)$/.test(namespace);
      const object = objects.get(write.path);
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

/** Never more in motion than head's batchSize: at each forward write, what we wrote before and has not settled since is counted. */
export const withinBatchSize: Rule = (evidence) =>
  evidence.clusters.flatMap((cluster) => {
    const rolling = new Set<string>();
    return listMoments(cluster).flatMap(({ write, settled, path }) => {
      if (write === undefined) {
        if (settled) rolling.delete(path);
        return [];
      }
      const limit = batchSizeOf(mergedBefore(evidence, write.write.at).at(-1)?.settings);
      rolling.add(path);
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
      const run = readAnnotations(write)["meshroll.dev/run"];
      if (write.fieldManager !== ours || write.status >= 300 || typeof run !== "string") return [];
      const id = run.split(" ")[0] ?? "";
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
