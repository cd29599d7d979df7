import type { Bus, KeyWatcher } from "#libs/bus";
import { findOtherVersion, nameVmKeys, readGroupKey, readVmGroup, type VmGroupRows } from "#libs/events";
import type { VmGroupRef } from "#libs/fleet";

import { refuseOtherVersion } from "../../options/refuse-other-version.ts";

/** A group of VMs, as its executor published it. */
export interface PublishedVms {
  readonly group: VmGroupRef;
  readonly rows: VmGroupRows;
}

/** All groups of VMs on the bus, by cluster, namespace and name; refused where another version wrote one. */
export async function readVmGroups(bus: Bus): Promise<readonly PublishedVms[]> {
  const found = new Map<string, PublishedVms>();
  let refused: (() => Error) | undefined;
  const watcher: KeyWatcher = {
    onEntry({ key, value }) {
      const group = readGroupKey(key);
      if (group === undefined) return;
      found.delete(key);
      if (value === undefined) return;
      const why = findOtherVersion(value);
      if (why !== undefined) refused = () => refuseOtherVersion(`VMs of ${group.namespace}/${group.name}`, why);
      const rows = readVmGroup(value);
      if (rows !== undefined) found.set(key, { group, rows });
    },
    onReady: () => undefined,
    onReset: () => found.clear(),
  };
  const stop = new AbortController();
  try {
    await bus.bucket("vms").watch(nameVmKeys("groups"), watcher, stop.signal);
  } finally {
    stop.abort();
  }
  if (refused !== undefined) throw refused();
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}
