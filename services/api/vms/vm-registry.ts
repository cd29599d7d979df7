import type { Bus, Entry, KeyValue } from "#libs/bus";
import { nameVmKey, nameVmKeys, printVmReport, readVmKey, readVmReport, readVmReporter } from "#libs/events";
import type { VmRef, VmReport } from "#libs/fleet";
import type { Clock, Logger } from "#libs/runtime";
import type { VmCredential } from "#libs/vms";

import { followTags } from "./follow-tags.ts";
import { createReportWriter } from "./write-reports.ts";

/** Real ms within which another machine is taken for alive: two polls, and some. */
const freshMs = 90_000;
/** Real ms between two writes of a report of which only the time changed. */
const quietMs = 20_000;
/** A VM that said nothing for so long is gone, ms, as `forgottenAfterMs` of executors. */
const forgottenMs = 30 * 86_400_000;
/** Memory, and the bus, are bounded: a join token registers any name. */
const mostVms = 20_000;

export type Taken =
  | { readonly kind: "taken"; readonly tag: string | undefined }
  /** A machine with another credential reports under this name. */
  | { readonly kind: "nameTaken" }
  | { readonly kind: "full" };

/** The VMs that report, as this process saw them last. What it keeps is lost with the bus, and reported again. */
export interface VmRegistry {
  /** False while the bus is away or was not read yet: an agent that gets no answer keeps what runs. */
  isRead(): boolean;
  /** Whether a machine reports under this name. */
  isInUse(vm: VmRef): boolean;
  /** Keeps a report, and answers the VM's tag. No I/O. */
  take(credential: VmCredential, report: VmReport): Taken;
}

/** Absent where no key is configured. */
export interface VmParts {
  /** Keys that sign join tokens and credentials, the newest first. */
  readonly keys: readonly [string, ...(readonly string[])];
  readonly registry: VmRegistry;
}

interface Known {
  /** The report without its time. */
  content: string;
  at: string;
  /** The registration that it came with; undefined = unknown. */
  by: string | undefined;
  /** Monotonic ms when this process saw it change, or first saw it: what was read at the start may be new. */
  seenAt: number;
  /** Monotonic ms when it was written, by any api; undefined = the bus does not have it. */
  wroteAt: number | undefined;
}

function isSame(one: Known, other: Known): boolean {
  return one.at === other.at && one.content === other.content;
}

/** What is known of each VM's report, by its key; fed by a watch. */
function createMemory(clock: Clock, most: number) {
  const known = new Map<string, Known>();

  function readValue(value: string): Known | undefined {
    const report = readVmReport(value);
    if (report === undefined) return undefined;
    const { at, ...content } = report;
    const now = clock.monotonic();
    return { content: JSON.stringify(content), at, by: readVmReporter(value), seenAt: now, wroteAt: now };
  }

  function readEntry({ key, value }: Entry): void {
    const next = value === undefined || readVmKey(key) === undefined ? undefined : readValue(value);
    const before = known.get(key);
    if (before !== undefined && (next === undefined || isSame(before, next))) {
      // A value that is gone is written again when its agent reports.
      before.wroteAt = next?.wroteAt;
      return;
    }
    if (next !== undefined && (before !== undefined || known.size < most)) known.set(key, next);
  }

  return {
    known,
    watcher: {
      onEntry: readEntry,
      onReady: () => undefined,
      onReset() {
        for (const each of known.values()) each.wroteAt = undefined;
      },
    },
  };
}

interface RegistryParts {
  readonly bus: Bus;
  readonly bucket: KeyValue;
  readonly clock: Clock;
  readonly log: Logger;
  /** For tests. */
  readonly mostVms?: number;
}

/** Follows KV `vms`, keys `reports.>` and `tags.>`. */
export async function followVms(parts: RegistryParts, signal: AbortSignal): Promise<VmRegistry> {
  const { bus, bucket, clock, mostVms: most = mostVms } = parts;
  const { known, watcher } = createMemory(clock, most);
  let isRead = false;
  const write = createReportWriter(parts, signal);
  const tags = await followTags(bucket, signal);
  const reports = {
    ...watcher,
    onReady: () => void (isRead = true),
    onReset() {
      isRead = false;
      watcher.onReset();
    },
  };
  await bucket.watch(nameVmKeys("reports"), reports, signal);
  const isFresh = (each: Known): boolean => clock.monotonic() - each.seenAt < freshMs;

  /** A report of which only the time changed is not written each time. */
  function keep(key: string, by: string, report: VmReport): void {
    const { at, ...rest } = report;
    const content = JSON.stringify(rest);
    const now = clock.monotonic();
    const before = known.get(key);
    const isSame = before?.content === content && before.by === by;
    const wroteAt = isSame ? before.wroteAt : undefined;
    const isDue = wroteAt === undefined || now - wroteAt >= quietMs;
    if (isDue) write(key, printVmReport(report, by));
    known.set(key, { content, at, by, seenAt: now, wroteAt: isDue ? now : wroteAt });
  }

  /** It was deleted from the bus, or said nothing for 30 days: an autoscaled group makes new names all the time. */
  function isGone(each: Known): boolean {
    if (isFresh(each)) return false;
    return each.wroteAt === undefined || clock.now() - Date.parse(each.at) > forgottenMs;
  }

  /** VMs that are gone take no room from others. */
  function hasRoom(): boolean {
    if (known.size < most) return true;
    for (const [key, each] of known) {
      if (!isGone(each)) continue;
      known.delete(key);
      if (each.wroteAt === undefined) continue;
      // One that stays is read at the next start, and deleted then.
      bucket.delete(key).catch((error: unknown) => parts.log.warn({ error, key }, "an old report cannot be deleted"));
    }
    return known.size < most;
  }

  return {
    isRead() {
      // After an outage the tag that this api remembers may be older than one that another api has answered.
      if (!bus.isConnected()) isRead = false;
      return isRead && tags.isRead();
    },
    isInUse(vm) {
      const found = known.get(nameVmKey("reports", vm));
      return found !== undefined && isFresh(found);
    },
    take({ vm, id }, report) {
      const key = nameVmKey("reports", vm);
      const before = known.get(key);
      if (before?.by !== undefined && before.by !== id && isFresh(before)) return { kind: "nameTaken" };
      if (before === undefined && !hasRoom()) return { kind: "full" };
      keep(key, id, report);
      return { kind: "taken", tag: tags.find(vm) };
    },
  };
}
