import type { Bus } from "#libs/bus";
import { builtInSettings } from "#libs/campaign";
import type { Cluster } from "#libs/kube";
import type { RepositorySnapshots } from "#libs/repository";
import type { ChangeSignal, Clock } from "#libs/runtime";
import type { VmFleet } from "#libs/vms";

import { createRefusals } from "../writes/refusals.ts";
import { readMain } from "../control/main-state.ts";
import { followVms, type VmFollower } from "./follow-vms.ts";
import { createVmPublisher } from "./publish-vms.ts";
import { createVmGroups, type VmGroups } from "./vm-groups.ts";

/** What the groups of one cluster are made from. */
interface Parts {
  readonly cluster: Cluster;
  readonly fleet: VmFleet;
  readonly changes: ChangeSignal;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly repositorySnapshots: RepositorySnapshots;
}

/** The VMs of one cluster. */
export interface ClusterVms {
  readonly groups: VmGroups;
  /** Resolves when the VMs are known, or are not known in time: until then their groups would look empty. */
  start(signal: AbortSignal): Promise<void>;
  /** Follows them until the signal aborts. `note` is told each namespace in which something changed. */
  follow(
    parts: Pick<VmFollower, "mode" | "takeSnapshot" | "troubles" | "log">,
    note: (namespace: string) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

/** So long is the first list of VMs waited for before the cluster is published, real ms. */
const firstListMs = 5_000;
const firstLookMs = 100;

export function startVms({ cluster, fleet, changes, bus, clock, repositorySnapshots }: Parts): ClusterVms {
  const settings = () => (readMain(repositorySnapshots.view()).spec?.settings ?? builtInSettings).vms;
  const groups = createVmGroups({ cluster, fleet, settings, clock });
  return {
    groups,
    start: async (signal) => {
      // What changed is found at the next turn: each report of thousands of agents would wake every loop.
      await fleet.start(() => undefined, signal);
      const began = clock.monotonic();
      while (!signal.aborted && !fleet.list().fresh && clock.monotonic() - began < firstListMs)
        await clock.sleepReal(firstLookMs, signal).catch(() => undefined);
      groups.refresh();
    },
    follow: async (parts, note, signal) => {
      const publisher = createVmPublisher({ cluster: cluster.name, bucket: bus.bucket("vms"), clock, log: parts.log });
      const onChange = (namespace: string): void => {
        note(namespace);
        changes.raise();
      };
      const refusals = createRefusals();
      await followVms({ ...parts, groups, fleet, publisher, refusals, clock, onChange }, signal);
    },
  };
}
