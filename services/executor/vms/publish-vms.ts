import { BusUnavailable, type KeyValue } from "#libs/bus";
import {
  mostVmRows,
  nameGroupKey,
  nameVmKeys,
  printVmGroup,
  readGroupKey,
  type VmGroupRows,
  type VmRow,
} from "#libs/events";
import { istioKeys, type JudgedVm, type VmState } from "#libs/fleet";
import { nameWorkload } from "#libs/plan";
import { type Clock, doEach, type Logger } from "#libs/runtime";
import { printText, renderVmWait, type VmWait } from "#libs/wording";

import type { VmWaits } from "./tag-vms.ts";
import type { VmGroup } from "./vm-groups.ts";

/** VMs that need attention come first. */
const order: readonly VmState[] = ["failed", "unhealthy", "unknown", "upgrading", "outdated", "absent", "ready"];

/** Rows with the agents' sentences: with those of all a value could be larger than the bus takes. */
const mostMessages = 500;

/** Why a VM is not ready is said by its agent; of one that is, there is nothing to say. */
function printRow({ vm, state }: JudgedVm, hasRoom: boolean): VmRow {
  const { name, tag, report } = vm;
  if (report === undefined) return { name, state, ...(tag === undefined ? {} : { tag }) };
  const { revision, address, code, message } = report;
  return {
    name,
    state,
    address,
    code,
    ...(tag === undefined ? {} : { tag }),
    ...(revision === null ? {} : { revision }),
    ...(state === "ready" || state === "outdated" || !hasRoom ? {} : { message }),
  };
}

function printWait(wait: VmWait | undefined): Pick<VmGroupRows, "wait"> {
  if (wait === undefined) return {};
  const { code, message, until } = renderVmWait(wait);
  return { wait: { code, message: printText(message), ...(until === undefined ? {} : { until }) } };
}

/** One group as `meshroll get vms` shows it, without its time. */
function describeGroup({ workload, isWritten, vms }: VmGroup, wait: VmWait | undefined): Omit<VmGroupRows, "at"> {
  const label = workload.template.labels[istioKeys.revision];
  const sorted = vms.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const shown = sorted.slice(0, mostVmRows).map((each, at) => printRow(each, at < mostMessages));
  return {
    ...(isWritten && label !== undefined ? { revision: label } : {}),
    allowed: workload.vms?.allowed ?? 0,
    ...printWait(wait),
    vms: shown,
    ...(sorted.length > shown.length ? { more: sorted.length - shown.length } : {}),
  };
}

/** A group that did not change is published again after this time, real ms, so that people see its age. */
const repeatMs = 20_000;

interface Published {
  readonly text: string;
  readonly at: number;
}

/** Publishes the rows of groups to KV `vms`. */
export interface VmPublisher {
  publish(groups: readonly VmGroup[], waits: VmWaits): Promise<void>;
}

interface Parts {
  readonly cluster: string;
  readonly bucket: KeyValue;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createVmPublisher({ cluster, bucket, clock, log }: Parts): VmPublisher {
  const published = new Map<string, Published>();
  let areOldKeysKnown = false;

  /** Keys of groups that were deleted while no executor ran. */
  async function findOldKeys(): Promise<void> {
    if (areOldKeysKnown) return;
    for (const key of await bucket.keys(nameVmKeys("groups", cluster)))
      if (readGroupKey(key) !== undefined && !published.has(key)) published.set(key, { text: "", at: 0 });
    areOldKeysKnown = true;
  }

  function isDue(key: string, text: string): boolean {
    const last = published.get(key);
    return last?.text !== text || clock.monotonic() - last.at >= repeatMs;
  }

  async function put(key: string, text: string, value: Omit<VmGroupRows, "at">): Promise<void> {
    await bucket.put(key, printVmGroup({ at: new Date(clock.now()).toISOString(), ...value }));
    published.set(key, { text, at: clock.monotonic() });
  }

  async function publish(groups: readonly VmGroup[], waits: VmWaits): Promise<void> {
    await findOldKeys();
    const values = new Map(
      groups.map((group) => {
        const { namespace, name } = group.workload;
        const key = nameGroupKey({ cluster, namespace, name });
        return [key, describeGroup(group, waits.get(nameWorkload(group.workload)))] as const;
      }),
    );
    for (const key of published.keys()) {
      if (values.has(key)) continue;
      await bucket.delete(key);
      published.delete(key);
    }
    await doEach(
      [...values],
      async ([key, value]) => {
        const text = JSON.stringify(value);
        if (isDue(key, text)) await put(key, text, value);
      },
      {
        onFault: ([key], error) => log.warn({ error, key }, "could not publish a group of VMs"),
        isDown: (error) => error instanceof BusUnavailable,
      },
    );
  }

  return {
    publish: async (groups, waits) =>
      publish(groups, waits).catch((error: unknown) => {
        log.warn({ error, cluster }, "could not publish the groups of VMs: tried again");
      }),
  };
}
