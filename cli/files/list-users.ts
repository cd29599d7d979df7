import { readRunning, type Workload } from "#libs/fleet";
import { nameWorkload } from "#libs/plan";

import { type FleetOptions, readFleet } from "../read/fleet-source.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A workload whose pods run a revision that should be gone. */
export interface RevisionUser {
  readonly cluster: string;
  /** `namespace/Kind/name`. */
  readonly workload: string;
  readonly revision: string;
}

function listRevisions(workload: Workload): readonly string[] {
  const running = readRunning(workload);
  if (running.kind === "all") return [running.revision];
  return running.kind === "mixed" ? Object.keys(running.revisions) : [];
}

/** Who runs what should be gone, as far as the fleet was seen. */
export interface RevisionUsers {
  readonly users: readonly RevisionUser[];
  /** Clusters whose facts are old, or not all there: who is in them is not known. */
  readonly unseen: readonly string[];
}

/** Who still runs one of these revisions; why that cannot be said, as a sentence, where the fleet cannot be seen. */
export async function listUsers(
  revisions: readonly string[],
  options: FleetOptions,
  terminal: Terminal,
): Promise<RevisionUsers | string> {
  try {
    const clusters = [...(await readFleet(options, terminal)).values()];
    if (clusters.length === 0) return "no executor has published a cluster";
    const users = clusters.flatMap(({ name, namespaces }) =>
      [...namespaces.values()].flatMap(({ workloads }) =>
        workloads.flatMap((workload) =>
          listRevisions(workload)
            .filter((revision) => revisions.includes(revision))
            .map((revision) => ({ cluster: name, workload: nameWorkload(workload), revision })),
        ),
      ),
    );
    return { users, unseen: clusters.filter(({ fresh }) => !fresh).map(({ name }) => name) };
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
