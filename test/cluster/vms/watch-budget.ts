import { setTimeout as sleep } from "node:timers/promises";

import { onTestFinished } from "vitest";

import type { OwnCluster } from "../bed/start-cluster.ts";
import type { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { readEntries } from "./read-mesh.ts";
import type { MeshVm } from "./start-vm.ts";

/** What was seen of the unavailable VMs of the groups. */
export interface Seen {
  readonly samples: number;
  /** By group: the most that were unavailable in one sample. */
  readonly most: Readonly<Record<string, number>>;
}

const everyMs = 300;

/** Tagged and not done, by its own report, or not registered as healthy. */
async function isUnavailable(fleet: ClusterFleet, vm: MeshVm, healthy: ReadonlySet<string>): Promise<boolean> {
  const { group, name } = vm;
  const tag = await fleet.readVmTag({ group: { cluster: "one", namespace: group.namespace, name: group.name }, name });
  const { revision, inProgress, ready } = vm.report();
  return revision !== tag || inProgress !== false || ready !== true || !healthy.has(vm.address);
}

/** Counts unavailable VMs again and again, from the bus, the VMs' own files and the API server, until `end` or the test's end. */
export function watchBudget(
  cluster: Pick<OwnCluster, "kubectl">,
  fleet: ClusterFleet,
  vms: readonly MeshVm[],
): { end(): Promise<Seen> } {
  const most: Record<string, number> = {};
  let [samples, isOver] = [0, false];

  async function sample(): Promise<void> {
    const namespaces = [...new Set(vms.map(({ group }) => group.namespace))];
    const entries = namespaces.flatMap((namespace) => readEntries(cluster, namespace));
    const healthy = new Set(entries.filter((entry) => entry.healthy).map(({ address }) => address));
    const counts = new Map<string, number>();
    for (const vm of vms) {
      const more = (await isUnavailable(fleet, vm, healthy)) ? 1 : 0;
      counts.set(vm.group.name, (counts.get(vm.group.name) ?? 0) + more);
    }
    for (const [name, count] of counts) most[name] = Math.max(most[name] ?? 0, count);
    samples += 1;
  }

  async function run(): Promise<void> {
    while (!isOver) {
      await sample();
      await sleep(everyMs);
    }
  }

  const running = run();
  async function end(): Promise<Seen> {
    isOver = true;
    await running;
    return { samples, most };
  }
  onTestFinished(async () => void (await end()));
  return { end };
}
