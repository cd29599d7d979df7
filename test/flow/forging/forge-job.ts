import { openFakeQueue } from "#fakes/queue";
import type { WorkloadRef } from "#libs/fleet";

import type { FleetFlow } from "../fleet-flow.ts";

interface Inventory {
  readonly workloads: readonly (WorkloadRef & { readonly uid: string })[];
}

async function read<T>(flow: FleetFlow, key: string): Promise<T> {
  return JSON.parse((await flow.bucket("inventory").get(key))?.value ?? "{}") as T;
}

/** A job of the newest run as a login with Redis alone can make it: all it needs is known from the bus and the repository. */
export async function forgeJob(
  flow: FleetFlow,
  namespaces: readonly string[],
  change: object = {},
  item: object = {},
): Promise<void> {
  const ledger = await flow.ledger();
  const run = Object.values(ledger?.runs ?? {}).at(-1);
  const facts = await read<{ readonly uid: string }>(flow, "one._");
  const inventories = await Promise.all(namespaces.map(async (name) => read<Inventory>(flow, `one.${name}`)));
  const items = inventories.map(({ workloads: [workload] }, index) => {
    const nothing = { namespace: namespaces[index] ?? "", kind: "Deployment", name: "web", uid: "" } as const;
    const { namespace, kind, name, uid } = workload ?? nothing;
    return { namespace, kind, name, uid, target: "new", attempt: 1, unhealthyBefore: false, ...item };
  });
  const own = { version: 1, cluster: "one", clusterUid: facts.uid, strategy: "Batched", items };
  const { id, commit } = run ?? { id: "", commit: "" };
  const job = { ...own, run: id, commit, ...change };
  await openFakeQueue(flow.queue).put("one", job);
}
