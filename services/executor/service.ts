import type { RolloutsRepository } from "#libs/git";
import type { Cluster } from "#libs/kube";
import { openLedger } from "#libs/ledger";
import { createRepositorySnapshots, repackRegularly } from "#libs/repository";

import { followControl } from "./control/follow-control.ts";
import { refreshMain } from "./control/refresh-main.ts";
import { serveCluster, type Shared } from "./serve-cluster.ts";

export interface ExecutorParts extends Omit<Shared, "repositorySnapshots" | "control" | "listeners"> {
  readonly repository: RolloutsRepository;
  readonly clusters: readonly Cluster[];
  /** Called at each turn of the fetch loop: for health. */
  readonly onTurn?: () => void;
}

/** Runs the executor of some clusters until the signal aborts. A fault in one cluster does not hold up another. */
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
    repackRegularly(parts, signal),
    refreshMain({ repositorySnapshots, control, clock, log, onChange: raiseAll, onTurn: parts.onTurn }, signal),
    ...clusters.map(async (cluster) => serveCluster(shared, cluster, signal)),
  ]);
}
