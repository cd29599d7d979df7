import type { KeyValue } from "#libs/bus";
import { nameVmKey, printVmReport } from "#libs/events";
import type { Clock } from "#libs/runtime";
import type { SandboxCluster } from "#sandbox/fleet";
import { printJoinToken } from "#libs/vms";

import { demoGroups, type DemoVm, findHome, listVms } from "./demo-groups.ts";
import { makeLastReport, playAgent } from "./played-agent.ts";

/** The key of the demo's api, which signs what VMs register with. */
export const vmKey = "demo-key-of-the-virtual-machines";

/** What the VMs live in. */
interface Parts {
  readonly clusters: readonly SandboxCluster[];
  readonly clock: Clock;
  readonly apiUrl: string;
}

/**
 * Writes what VMs that are off said last, as the bus of a real fleet has it. To be called before any executor runs: it takes what it sees
 * change for new.
 */
export async function rememberOffVms(bucket: Pick<KeyValue, "put">, clock: Clock): Promise<void> {
  for (const vm of demoGroups.flatMap(listVms).filter(({ isOff }) => isOff))
    await bucket.put(nameVmKey("reports", vm), printVmReport(makeLastReport(vm, clock.now())));
}

/** The agents of all VMs that are on. */
export interface PlayedVms {
  /** Rejects when one of them cannot go on. */
  readonly died: Promise<never>;
  stop(): Promise<void>;
}

/** Plays them until they are stopped. */
export function startVms({ clusters, clock, apiUrl }: Parts): PlayedVms {
  const { model } = findHome(clusters);
  const off = new AbortController();
  const { promise: died, reject } = Promise.withResolvers<never>();
  died.catch(() => undefined);
  const expires = clock.now() + 365 * 24 * 3_600_000;

  async function play(vm: DemoVm, at: number): Promise<void> {
    const { cluster, namespace, name } = vm.group;
    const joinToken = printJoinToken(vmKey, { group: { cluster, namespace, name }, expires });
    const setHealth = (healthy: boolean): void => model.setEntryHealth(namespace, vm.entry, healthy);
    // Machines do not report at the same moment.
    await clock.sleepReal(at * 40, off.signal);
    await playAgent(vm, { url: apiUrl, joinToken, clock, setHealth }, off.signal);
  }

  const agents = demoGroups
    .flatMap(listVms)
    .filter(({ isOff }) => !isOff)
    .map(async (vm, at) => {
      try {
        await play(vm, at);
      } catch (error) {
        if (!off.signal.aborted) reject(error);
      }
    });
  return {
    died,
    stop: async () => {
      off.abort();
      await Promise.all(agents);
    },
  };
}
