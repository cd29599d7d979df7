import type { Bus } from "#libs/bus";
import type { BatchJob } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import type { Cluster } from "#libs/kube";
import { openLedger } from "#libs/ledger";
import { createRepositorySnapshots, keepCloneSmall } from "#libs/repository";
import type { ServeBatches } from "#libs/queue";
import type { Clock, Logger } from "#libs/runtime";

import { followControl } from "./control/follow-control.ts";
import { keepMainFresh } from "./control/keep-main-fresh.ts";
import { serveCluster, type Shared } from "./serve-cluster.ts";

export interface ExecutorParts {
  /** Which installation it serves: a ledger of another one is none. */
  readonly installation: string;
  readonly repository: RolloutsRepository;
  readonly clusters: readonly Cluster[];
  readonly mode: "observe" | "act";
  readonly bus: Bus;
  readonly serve: ServeBatches<BatchJob>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told at each turn of the process's own loop: for health. */
  readonly onTurn?: () => void;
  /** Told after each look at a cluster how long it took, real ms: for health and metrics. */
  readonly onReconcile?: (cluster: string, ms: number) => void;
}

/** Runs the executor of some clusters until the signal aborts. One cluster's fault never holds up another. */
export async function runExecutor(parts: ExecutorParts, signal: AbortSignal): Promise<void> {
  const { installation, repository, clusters, bus, clock, log } = parts;
  const repositorySnapshots = createRepositorySnapshots(repository, openLedger(repository), clock, { installation });
  const listeners = new Set<() => void>();
  const raiseAll = (): void => {
    for (const raise of listeners) raise();
  };
  const control = await followControl(bus.bucket("control"), clock, raiseAll, signal);
  const shared: Shared = { ...parts, repositorySnapshots, control, listeners };
  await Promise.all([
    keepCloneSmall(parts, signal),
    keepMainFresh({ repositorySnapshots, control, clock, log, onChange: raiseAll, onTurn: parts.onTurn }, signal),
    ...clusters.map(async (cluster) => serveCluster(shared, cluster, signal)),
  ]);
}
