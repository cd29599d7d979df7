import type { FleetFlow } from "../fleet-flow.ts";
import { FlowVms, type VmsOptions } from "../parts/flow-vms.ts";
import { makeShop } from "../shop.ts";

const minute = 60_000;

/** A fleet with a group of VMs, and its VMs. */
export interface VmShop {
  readonly flow: FleetFlow;
  readonly vms: FlowVms;
}

/** The group's workload. */
export const ledger = { namespace: "shop-a", kind: "WorkloadGroup", name: "ledger" } as const;

/** One namespace with a Deployment and a group of so many VMs on `old`, and processes that have read everything. */
export async function openVmShop(
  count: number,
  { settings, ...played }: Partial<VmsOptions> & { readonly settings: string },
): Promise<VmShop> {
  const flow = await makeShop({ names: ["a"], settings, prepare: (model) => model.addIstiod("newer") });
  flow.hasVms = true;
  const vms = new FlowVms({ bucket: () => flow.bucket("vms"), model: flow.model("one"), clock: flow.clock, ...played });
  await vms.addGroup("shop-a", "ledger", count);
  vms.start();
  await flow.startExecutor().startPlanner().pass(minute);
  return { flow, vms };
}

/** Ends all of it, and has the auditor judge. */
export async function endVmShop({ flow, vms }: VmShop): Promise<void> {
  vms.stop();
  await flow.end();
}

/** How many runs are in this state. */
export async function countRuns(flow: FleetFlow, state: string): Promise<number> {
  return (await flow.runs()).filter((run) => run.state === state).length;
}
