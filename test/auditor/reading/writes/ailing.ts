import type { AuditedCluster } from "../../evidence/evidence.ts";
import { dig } from "../files/dig.ts";
import { isDone, isOurs } from "./hands.ts";

/** Since when, until when: epoch ms. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** What a run waits for in one cluster: the paths of its workloads that arrived. */
export interface Arrived {
  readonly cluster: AuditedCluster;
  readonly paths: ReadonlySet<string>;
}

/** A workload begins or ends to lack pods. */
interface Turn {
  readonly at: number;
  readonly key: string;
  readonly isAiling: boolean;
}

/** Paths and versions of what owners deployed: another pod template. */
function listDeploys({ writes }: AuditedCluster): readonly { readonly path: string; readonly version: number }[] {
  return writes.filter((write) => {
    return isDone(write) && !isOurs(write) && dig(write.body, "spec", "template") !== undefined;
  });
}

/**
 * How each of these workloads came and went, the present first; in the order of the API server. What its owner deployed and has not
 * been ready once says nothing of the revision.
 */
function listTurns({ cluster, paths }: Arrived): readonly Turn[] {
  const { name, before, created, statuses } = cluster;
  const first = before.map(({ path, available }) => ({ at: 0, version: 0, path, available, settled: true }));
  const made = created.map((each) => ({ ...each, settled: true }));
  const all = [...first, ...made, ...statuses].filter(({ path }) => paths.has(path));
  const deploys = listDeploys(cluster);
  const settledAt = new Map<string, number>();
  return all
    .toSorted((a, b) => a.version - b.version)
    .map(({ at, version, path, available, settled }) => {
      if (settled) settledAt.set(path, version);
      const isDeploying = deploys.some((each) => {
        return each.path === path && each.version <= version && each.version > (settledAt.get(path) ?? 0);
      });
      return { at, key: `${name} ${path}`, isAiling: available === false && !isDeploying };
    });
}

/** The times in which more of these workloads lacked pods than may, within a span. */
export function listAiling(arrived: readonly Arrived[], allowed: number, { from, until }: Span): readonly Span[] {
  const turns = arrived.flatMap(listTurns).toSorted((a, b) => a.at - b.at);
  const ailing = new Set<string>();
  const found: Span[] = [];
  let since: number | undefined;
  for (const { at, key, isAiling } of turns) {
    if (isAiling) ailing.add(key);
    else ailing.delete(key);
    if (ailing.size > allowed) since ??= at;
    else if (since !== undefined) {
      found.push({ from: since, until: at });
      since = undefined;
    }
  }
  if (since !== undefined) found.push({ from: since, until });
  const inside = found.map((each) => ({ from: Math.max(from, each.from), until: Math.min(until, each.until) }));
  return inside.filter((each) => each.from < each.until);
}
