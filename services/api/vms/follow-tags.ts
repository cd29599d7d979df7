import type { KeyValue } from "#libs/bus";
import { nameVmKey, nameVmKeys, readVmTag } from "#libs/events";
import type { VmRef } from "#libs/fleet";

/** The tags of VMs, as this process saw them last. */
export interface TagsView {
  /** False until all were read, and while they are read again: a tag that is missing then says nothing. */
  isRead(): boolean;
  /** Undefined where the VM has none. */
  find(vm: VmRef): string | undefined;
}

/** Follows KV `vms`, keys `tags.>`. */
export async function followTags(bucket: KeyValue, signal: AbortSignal): Promise<TagsView> {
  const tags = new Map<string, string>();
  let isRead = false;
  const watcher = {
    onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
      const tag = value === undefined ? undefined : readVmTag(value);
      if (tag === undefined) tags.delete(key);
      else tags.set(key, tag.revision);
    },
    onReady: () => void (isRead = true),
    onReset() {
      isRead = false;
      tags.clear();
    },
  };
  await bucket.watch(nameVmKeys("tags"), watcher, signal);
  return { isRead: () => isRead, find: (vm) => tags.get(nameVmKey("tags", vm)) };
}
