import type { KeyValue } from "#libs/bus";
import type { InventoryFold } from "#libs/events";
import type { Clock } from "#libs/runtime";

/**
 * Folds what executors publish. After the bucket was wiped the fold starts empty, and a cluster is fresh again once it is
 * complete.
 */
export async function followInventory(
  bucket: KeyValue,
  fold: InventoryFold,
  clock: Clock,
  onChange: () => void,
  signal: AbortSignal,
  /** The bucket was read again from its beginning, after the bus was away or wiped. */
  onReadAgain: () => void = () => undefined,
): Promise<void> {
  // Values that are in the bucket before this process watches may be of any age: only a change that it sees makes a cluster
  // fresh.
  let isReplay = true;
  let wasReset = false;
  const watcher = {
    onEntry(entry: { readonly key: string; readonly value?: string }) {
      fold.apply(entry.key, entry.value, isReplay ? Number.NEGATIVE_INFINITY : clock.monotonic());
      onChange();
    },
    onReady() {
      isReplay = false;
      if (wasReset) onReadAgain();
      wasReset = false;
      onChange();
    },
    onReset() {
      isReplay = true;
      wasReset = true;
      fold.reset();
    },
  };
  await bucket.watch(">", watcher, signal);
}
