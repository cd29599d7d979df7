import type { KeyValue } from "#libs/bus";
import { nameVmKey, nameVmKeys, printVmTag, readVmTag, type VmTag } from "#libs/events";
import type { Vm, VmRef } from "#libs/fleet";
import { cleanText } from "#libs/runtime";

import type { NewTag, TagOutcome, VmFleet } from "../port.ts";
import { followReports } from "../reports/follow-reports.ts";
import { createVmKeys, type VmClock, type VmValue } from "../vm-keys.ts";
import { nameVm, sortVms } from "../vm-order.ts";
import { describeForeign } from "../vm-problems.ts";

/** A list is fresh for so long after the bus answered, real ms. */
const freshMs = 60_000;
const askEveryMs = 15_000;
/** Old tags are deleted, and purged ones noticed, this often. */
const tidyEveryMs = 5 * 60_000;

export interface SelfHostedOptions {
  /** KV `vms`. */
  readonly bucket: KeyValue;
  readonly cluster: string;
  readonly clock: VmClock;
}

function readMessage(error: unknown): string {
  return cleanText(error instanceof Error ? error.message : String(error));
}

/** Only an answer that did not come may come later; all else is for a person. */
function judgeFault(error: unknown): TagOutcome {
  const isSilent = error instanceof Error && error.name === "BusUnavailable";
  return { kind: isSilent ? "unavailable" : "refused", why: readMessage(error) };
}

/**
 * VMs that belong to no cloud: those whose agents reported within 30 days, and those that have a tag. Tags are values in KV `vms`,
 * which the api hands to the agents.
 */
export function openSelfHostedVms({ bucket, cluster, clock }: SelfHostedOptions): VmFleet {
  const reports = followReports({ bucket, cluster, clock });
  const tags = createVmKeys<VmTag>({ bucket, cluster, kind: "tags", read: readVmTag, clock });
  let answeredAt = Number.NEGATIVE_INFINITY;
  let fault: string | undefined;
  let tidyFault: string | undefined;
  let tellChange = (): void => undefined;

  /** A tag without a report is that of a VM that did not report yet, or that was wiped from the bus. */
  function isForgotten({ vm, value }: VmValue<VmTag>): boolean {
    if (reports.isHeard(vm)) return false;
    return reports.isForgotten(vm) || (value !== undefined && reports.isLongAgo(value.at));
  }

  function describeVm(vm: VmRef): Vm {
    const tag = tags.values.get(nameVm(vm))?.value;
    return {
      ...vm,
      ...(tag === undefined ? {} : { tag: tag.revision, taggedAt: tag.at }),
      ...reports.describe(vm),
    };
  }

  function listVms(): readonly Vm[] {
    const tagged = [...tags.values.values()].filter((each) => !isForgotten(each)).map(({ vm }) => vm);
    const all = [...reports.list(), ...tagged];
    return sortVms(new Map(all.map((vm) => [nameVm(vm), describeVm(vm)])));
  }

  /** A connection that is lost tells nothing, so the bus is asked for a key that is no VM's. */
  async function askBus(): Promise<void> {
    try {
      await bucket.keys(`tags.${cluster}._`);
      answeredAt = clock.monotonic();
      fault = undefined;
    } catch (error) {
      fault = readMessage(error);
    }
  }

  /** Deletes tags of VMs that are gone, and forgets those that were purged: a watch does not tell of a purge. */
  async function tidy(): Promise<void> {
    if (!tags.isRead() || !reports.isRead()) return;
    const before = [...tags.values.values()];
    try {
      const there = await bucket.keys(nameVmKeys("tags", cluster));
      for (const each of before) {
        if (!there.has(each.key)) tags.drop(each);
        else if (tags.values.get(nameVm(each.vm)) === each && isForgotten(each)) await bucket.delete(each.key);
      }
      tidyFault = undefined;
    } catch (error) {
      tidyFault = `old tags of VMs in KV vms cannot be deleted: ${readMessage(error)}`;
    }
  }

  async function watchBus(signal: AbortSignal): Promise<void> {
    let tidiedAt = clock.monotonic();
    while (!signal.aborted) {
      await askBus();
      if (clock.monotonic() - tidiedAt >= tidyEveryMs) {
        await tidy();
        tidiedAt = clock.monotonic();
      }
      tellChange();
      await clock.sleepReal(askEveryMs, signal).catch(() => undefined);
    }
  }

  function isFresh(): boolean {
    const heardAt = Math.max(answeredAt, reports.heardAt(), tags.heardAt());
    return reports.isRead() && tags.isRead() && clock.monotonic() - heardAt <= freshMs;
  }

  function explain(): readonly string[] {
    if (isFresh()) return [];
    if (fault !== undefined) return [`the VMs' tags and reports are old, because the bus does not answer: ${fault}`];
    return ["the VMs' tags and reports are being read from the bus"];
  }

  /** Reads the tag again, as only the bus says which of two writes is the later one. */
  async function takeWritten(key: string, before: VmValue<VmTag> | undefined): Promise<void> {
    const entry = await bucket.get(key);
    if (entry !== undefined) tags.take(entry, before);
  }

  async function setTag(vm: VmRef, tag: NewTag): Promise<TagOutcome> {
    if (reports.isForgotten(vm)) return { kind: "gone" };
    const key = nameVmKey("tags", vm);
    const before = tags.values.get(nameVm(vm));
    try {
      await bucket.put(key, printVmTag(tag));
      await takeWritten(key, before);
      tellChange();
      return { kind: "written" };
    } catch (error) {
      return judgeFault(error);
    }
  }

  return {
    async start(onChange, signal) {
      tellChange = onChange;
      reports.start(onChange, signal);
      tags.start(onChange, signal);
      void watchBus(signal);
    },
    list() {
      const problems = [...explain(), ...reports.problems(), ...describeForeign("tag", tags)];
      return {
        fresh: isFresh(),
        problems: tidyFault === undefined ? problems : [...problems, tidyFault],
        vms: listVms(),
      };
    },
    setTag,
  };
}
