import { listRevisionUsers, type RevisionUsers } from "#libs/injection";
import type { ClusterSnapshot } from "#libs/plan";

import { type FleetOptions, readFleet } from "../read/fleet-source.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What uses a revision that should be gone, or asks for it. */
export interface RevisionUser {
  readonly cluster: string;
  /** `namespace/Kind/name`; `Namespace/name` and `tag/name` of what only asks for it. */
  readonly workload: string;
  readonly revision: string;
  /** Live ones; of what only asks for it 0, of ended pods how many those are. */
  readonly pods: number;
}

/** Who uses what should be gone, as far as the fleet was seen. */
export interface FleetUsers {
  /** They have live pods. */
  readonly users: readonly RevisionUser[];
  /** What would give new pods to it. */
  readonly asks: readonly RevisionUser[];
  /** Pods that have ended: nothing of theirs runs. */
  readonly completed: readonly RevisionUser[];
  readonly failed: readonly RevisionUser[];
  /** Where it still has an injector. */
  readonly installed: readonly string[];
  /** Clusters whose facts are old, or not all there: who is in them is not known. */
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

/** An old or partial inventory says nothing of what is missing in it. */
export function isWhollySeen({ fresh, facts }: ClusterSnapshot): boolean {
  return fresh && (facts.unpublished ?? 0) === 0;
}

/** Who still uses one of these revisions; why that cannot be said, as a sentence, where the fleet cannot be seen. */
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
