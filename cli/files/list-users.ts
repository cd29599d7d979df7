import { listRevisionUsers, type RevisionUsers } from "#libs/injection";
import type { ClusterSnapshot } from "#libs/plan";

import { type FleetOptions, readFleet } from "../read/fleet-source.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A user of a revision that should be gone. */
export interface RevisionUser {
  readonly cluster: string;
  /** `namespace/Kind/name`; `Namespace/name` and `tag/name` for what only selects it. */
  readonly workload: string;
  readonly revision: string;
  /** Live pods; 0 for what only selects it; the number of ended pods in `completed`. */
  readonly pods: number;
}

/** The users of a revision, as far as the fleet was seen. */
export interface FleetUsers {
  /** Owners of live pods. */
  readonly users: readonly RevisionUser[];
  /** Objects that would give it to new pods. */
  readonly asks: readonly RevisionUser[];
  /** Pods that have ended. */
  readonly completed: readonly RevisionUser[];
  readonly failed: readonly RevisionUser[];
  /** Clusters where it still has an injector. */
  readonly installed: readonly string[];
  /** Clusters with an old or partial inventory: their users are unknown. */
  readonly unseen: readonly string[];
}

function collect(
  clusters: readonly ClusterSnapshot[],
  revisions: readonly string[],
): Record<keyof RevisionUsers, readonly RevisionUser[]> {
  const found = clusters.flatMap((cluster) => {
    const users = listRevisionUsers(cluster);
    return revisions.map((revision) => ({ cluster: cluster.name, revision, users: users.get(revision) }));
  });
  const list = (part: keyof RevisionUsers) =>
    found.flatMap(({ cluster, revision, users }) =>
      (users?.[part] ?? []).map(({ as, what, count }) => {
        return { cluster, workload: what, revision, pods: as === "pods" ? count : 0 };
      }),
    );
  return { pods: list("pods"), asks: list("asks"), completed: list("completed"), failed: list("failed") };
}

/** An old or partial inventory may lack workloads. */
export function isWhollySeen({ fresh, facts }: ClusterSnapshot): boolean {
  return fresh && (facts.unpublished ?? 0) === 0;
}

/** The users of these revisions; where the fleet cannot be seen, the reason as a sentence. */
export async function listUsers(
  revisions: readonly string[],
  options: FleetOptions,
  terminal: Terminal,
): Promise<FleetUsers | string> {
  try {
    const clusters = [...(await readFleet(options, terminal)).values()];
    if (clusters.length === 0) return "no executor has published a cluster";
    const { pods: users, ...others } = collect(clusters, revisions);
    const hasOne = ({ facts }: ClusterSnapshot) =>
      facts.revisions.some(({ name, webhook }) => webhook && revisions.includes(name));
    const installed = clusters.filter(hasOne).map(({ name }) => name);
    const unseen = clusters.filter((cluster) => !isWhollySeen(cluster)).map(({ name }) => name);
    return { users, ...others, installed, unseen };
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
