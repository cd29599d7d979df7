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
): Promise<void> {
  const watcher = {
    onEntry(entry: { readonly key: string; readonly value?: string }) {
      fold.apply(entry.key, entry.value, clock.monotonic());
      onChange();
    },
    onReady: onChange,
    onReset: () => {
      fold.reset();
    },
  };
  await bucket.watch(">", watcher, signal);
}
