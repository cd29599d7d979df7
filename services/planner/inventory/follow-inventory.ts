import type { KeyValue } from "#libs/bus";
import type { InventoryFold } from "#libs/events";
import type { Clock } from "#libs/runtime";

/** Folds what executors publish; a wiped bucket starts over, and its clusters are not fresh until they are complete again. */
export async function followInventory(
  bucket: KeyValue,
  fold: InventoryFold,
  clock: Clock,
  onChange: () => void,
  signal: AbortSignal,
  /** The bucket was read again from its beginning, after it was away or wiped. */
  onReadAgain: () => void = () => undefined,
): Promise<void> {
  // What stood there before this process looked may be of any age: only a change that it sees makes a cluster fresh.
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
