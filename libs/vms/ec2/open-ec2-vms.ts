import type { KeyValue } from "#libs/bus";
import type { Vm, VmRef } from "#libs/fleet";
import type { Logger } from "#libs/runtime";

import type { NewTag, TagOutcome, VmFleet } from "../port.ts";
import { followReports, type Reports } from "../reports/follow-reports.ts";
import type { VmClock } from "../vm-keys.ts";
import { nameVm, sortVms } from "../vm-order.ts";
import { nameSome } from "../vm-problems.ts";
import type { Ec2Calls, Ec2Instance } from "./ec2-calls.ts";
import { judgeEc2Fault } from "./judge-fault.ts";
import { correctAddress, groupTag, printTags, readInstance } from "./read-instance.ts";

/** Real ms between two lists; up to four times that after failures. */
const listEveryMs = 15_000;
const freshMs = 60_000;
/** EC2's lists may show a tag late; what was written counts for so long against them, real ms. */
const settledAfterMs = 60_000;

export interface Ec2Options {
  readonly client: Ec2Calls;
  /** KV `vms`, with the reports of agents. */
  readonly bucket: KeyValue;
  readonly cluster: string;
  readonly clock: VmClock;
  readonly log: Pick<Logger, "warn">;
  /** From 0 to 1. */
  readonly random?: () => number;
}

interface Listed {
  readonly vm: Vm;
  readonly instance: Ec2Instance;
}

/** One complete list of all pages. */
interface Listing {
  /** Real monotonic ms at which its first page was requested. */
  readonly begunAt: number;
  /** By `nameVm`. */
  readonly byName: ReadonlyMap<string, Listed>;
  /** Ids of those whose group cannot be read. */
  readonly unread: readonly string[];
}

interface Written {
  readonly vm: VmRef;
  readonly tag: NewTag;
  /** Real monotonic ms at which EC2 had answered. */
  readonly at: number;
}

function readListing(instances: readonly Ec2Instance[], begunAt: number, cluster: string): Listing {
  const read = instances.map((instance) => ({ instance, vm: readInstance(instance) }));
  const listed = read.flatMap(({ instance, vm }) => (vm?.group.cluster === cluster ? [{ instance, vm }] : []));
  return {
    begunAt,
    byName: new Map(listed.map((each) => [nameVm(each.vm), each])),
    unread: read.filter(({ vm }) => vm === undefined).map(({ instance }) => instance.id),
  };
}

function describeVm({ vm, instance }: Listed, reports: Reports): Vm {
  const { report, ...age } = reports.describe(vm);
  return report === undefined ? vm : { ...vm, report: correctAddress(report, instance), ...age };
}

/** Tags that were written, until lists show them. */
function createWrittenTags() {
  const written = new Map<string, Written>();

  /** Forgets what the list shows, and what a list that began long after does not show: it was changed since. */
  function settle({ begunAt, byName }: Listing): void {
    for (const [name, { tag, at }] of written) {
      const listed = byName.get(name)?.vm;
      const isShown = listed?.tag === tag.revision && listed.taggedAt === tag.at;
      if (isShown || begunAt > at + settledAfterMs) written.delete(name);
    }
  }

  /** The VMs of a list with these tags. */
  function overlay(vms: ReadonlyMap<string, Vm>, reports: Reports): ReadonlyMap<string, Vm> {
    const all = new Map(vms);
    for (const [name, { vm, tag }] of written) {
      all.set(name, {
        ...(all.get(name) ?? { ...vm, ...reports.describe(vm) }),
        tag: tag.revision,
        taggedAt: tag.at,
      });
    }
    return all;
  }

  return { note: (each: Written) => void written.set(nameVm(each.vm), each), settle, overlay };
}

/** VMs that are EC2 instances with the tag `meshroll:group` of this cluster. Their own tags say what they should run. */
export function openEc2Vms({ client, bucket, cluster, clock, log, random = Math.random }: Ec2Options): VmFleet {
  const reports = followReports({ bucket, cluster, clock });
  const written = createWrittenTags();
  let listing: Listing | undefined;
  let fault: string | undefined;
  let failures = 0;
  let tellChange = (): void => undefined;

  function noteFailure(error: unknown): void {
    const judged = judgeEc2Fault(error, "ec2:DescribeInstances");
    const why = judged.kind === "gone" ? "ec2:DescribeInstances: there is no such instance" : judged.why;
    if (why !== fault) log.warn({ cluster }, `the VMs of ${cluster} on EC2 cannot be listed: ${why}`);
    fault = why;
    failures += 1;
  }

  async function listOnce(signal: AbortSignal): Promise<void> {
    const begunAt = clock.monotonic();
    try {
      const instances = await client.listInstances({ key: groupTag, value: `${cluster}/*` }, signal);
      listing = readListing(instances, begunAt, cluster);
      written.settle(listing);
      fault = undefined;
      failures = 0;
    } catch (error) {
      if (!signal.aborted) noteFailure(error);
    }
    tellChange();
  }

  async function followInstances(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await listOnce(signal);
      // Processes that began together must not list together.
      const waitMs = listEveryMs * (0.9 + 0.2 * random()) * Math.min(4, 2 ** failures);
      await clock.sleepReal(waitMs, signal).catch(() => undefined);
    }
  }

  function isFresh(): boolean {
    return reports.isRead() && listing !== undefined && clock.monotonic() - listing.begunAt <= freshMs;
  }

  function explain(): readonly string[] {
    if (isFresh()) return [];
    if (fault !== undefined) return [`EC2's list of VMs is old: ${fault}`];
    return ["the VMs are being listed by EC2, and their reports read from the bus"];
  }

  function explainUnread(): readonly string[] {
    const unread = listing?.unread ?? [];
    const want = `${cluster}/NAMESPACE/GROUP`;
    return unread.length === 0 ? [] : [`the tag ${groupTag} is not ${want} of the instances ${nameSome(unread)}`];
  }

  return {
    async start(onChange, signal) {
      tellChange = onChange;
      reports.start(onChange, signal);
      void followInstances(signal);
    },
    list() {
      const listed = [...(listing?.byName ?? [])].map(([name, each]) => [name, describeVm(each, reports)] as const);
      return {
        fresh: isFresh(),
        problems: [...explain(), ...explainUnread(), ...reports.problems()],
        vms: sortVms(written.overlay(new Map(listed), reports)),
      };
    },
    async setTag(vm, tag): Promise<TagOutcome> {
      try {
        await client.createTags(vm.name, printTags(tag));
      } catch (error) {
        return judgeEc2Fault(error, "ec2:CreateTags");
      }
      written.note({ vm, tag, at: clock.monotonic() });
      tellChange();
      return { kind: "written" };
    },
  };
}
