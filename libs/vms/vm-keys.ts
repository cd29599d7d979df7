import type { Entry, KeyValue } from "#libs/bus";
import { nameVmKeys, readVmKey } from "#libs/events";
import type { VmRef } from "#libs/fleet";
import type { Clock } from "#libs/runtime";

import { nameVm } from "./vm-order.ts";

/** Real time decides what is fresh, and `now` alone how many days ago something was. */
export type VmClock = Pick<Clock, "now" | "monotonic" | "sleepReal">;

/** What lies under one VM's key. */
export interface VmValue<Value> {
  readonly vm: VmRef;
  readonly key: string;
  /** Absent = it is not of our form. */
  readonly value?: Value;
  readonly text: string;
  /** Of the bucket; a later one is newer until the bucket is wiped. */
  readonly revision: number;
  /** Real monotonic ms at which this process saw it change; absent = it did not see that. */
  readonly changedAt?: number;
}

/** The values of one kind of a cluster's VMs in KV `vms`, as this process saw them. */
export interface VmKeys<Value> {
  /** Follows them until `signal` aborts. */
  start(onChange: () => void, signal: AbortSignal): void;
  /** False until all were read once, and after the bucket was wiped or the bus was away until they are read again. */
  isRead(): boolean;
  /** Real ms since they were read, or read again; 0 before that. */
  watchedMs(): number;
  /** Real monotonic ms at which the bucket last told something. */
  heardAt(): number;
  /** By `nameVm`. */
  readonly values: ReadonlyMap<string, VmValue<Value>>;
  /**
   * Takes what was read outside of the watch, where `before` was the value before that. While the watch told nothing in between it
   * is the newest, even if its revision is lower: the bucket was wiped, and the watch will tell of it.
   */
  take(entry: Entry, before: VmValue<Value> | undefined): void;
  /** Forgets a value whose key was deleted though the watch did not report it; a newer value stays. */
  drop(value: VmValue<Value>): void;
  /** Keys that name no VM. */
  readonly foreignKeys: ReadonlySet<string>;
}

interface Kind<Value> {
  readonly bucket: KeyValue;
  readonly cluster: string;
  readonly kind: "reports" | "tags";
  readonly read: (text: string) => Value | undefined;
  readonly clock: VmClock;
}

/** So many foreign keys are remembered; another writer could make any number. */
const mostForeign = 1000;

export function createVmKeys<Value>({ bucket, cluster, kind, read, clock }: Kind<Value>): VmKeys<Value> {
  const values = new Map<string, VmValue<Value>>();
  const foreignKeys = new Set<string>();
  /** Values of before a reset that were not read again yet. */
  const stale = new Set<string>();
  let isReplaying = true;
  let readSince: number | undefined;
  let heardAt = Number.NEGATIVE_INFINITY;

  /** A value that is replayed may be of any age (ADR 8): one that is still the same keeps the time of its change. */
  function findChangedAt(text: string, before: VmValue<Value> | undefined): { readonly changedAt?: number } {
    if (before?.text === text) return before.changedAt === undefined ? {} : { changedAt: before.changedAt };
    return isReplaying ? {} : { changedAt: clock.monotonic() };
  }

  function noteForeign({ key, value }: Entry): void {
    if (value === undefined) foreignKeys.delete(key);
    else if (foreignKeys.size < mostForeign) foreignKeys.add(key);
  }

  function isOlder(name: string, { revision }: Entry): boolean {
    const before = values.get(name);
    return before !== undefined && !stale.has(name) && revision < before.revision;
  }

  function apply(entry: Entry, isNewest: (name: string) => boolean): void {
    const { key, value: text, revision } = entry;
    const vm = readVmKey(key);
    if (vm === undefined || vm.group.cluster !== cluster) return noteForeign(entry);
    const name = nameVm(vm);
    if (isOlder(name, entry) && !isNewest(name)) return;
    const before = values.get(name);
    stale.delete(name);
    if (text === undefined) return void values.delete(name);
    const value = read(text);
    values.set(name, {
      vm,
      key,
      text,
      revision,
      ...(value === undefined ? {} : { value }),
      ...findChangedAt(text, before),
    });
  }

  /**
   * What a wipe of the bus took. A tag is gone. A VM is not gone because its report is: it is not heard of until its agent reports
   * again, and counts as unknown meanwhile.
   */
  function forget(name: string): void {
    const last = values.get(name);
    if (kind === "tags" || last === undefined) return void values.delete(name);
    const { changedAt: _, ...rest } = last;
    values.set(name, rest);
  }

  function start(onChange: () => void, signal: AbortSignal): void {
    const hear = (change: () => void): void => {
      heardAt = clock.monotonic();
      change();
      onChange();
    };
    const watcher = {
      onEntry: (entry: Entry) => hear(() => apply(entry, () => false)),
      onReady: () =>
        hear(() => {
          if (isReplaying) readSince = clock.monotonic();
          isReplaying = false;
          for (const name of stale) forget(name);
          stale.clear();
        }),
      onReset: () =>
        hear(() => {
          isReplaying = true;
          foreignKeys.clear();
          for (const name of values.keys()) stale.add(name);
        }),
    };
    void bucket.watch(nameVmKeys(kind, cluster), watcher, signal);
  }

  return {
    start,
    isRead: () => !isReplaying,
    watchedMs: () => (readSince === undefined ? 0 : clock.monotonic() - readSince),
    heardAt: () => heardAt,
    values,
    take: (entry, before) => apply(entry, (name) => values.get(name) === before),
    drop(value) {
      const name = nameVm(value.vm);
      if (values.get(name) === value) values.delete(name);
    },
    foreignKeys,
  };
}
