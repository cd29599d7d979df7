import type { KeyValue } from "#libs/bus";
import { HistoryFold, historyKeys, type StampedLog } from "#libs/events";

/** The ledger's newest transitions, as this process saw them last. */
export interface HistoryView {
  /** Undefined while none were seen. */
  log(): StampedLog | undefined;
}

/** Follows KV `status`, keys `history.*`. */
export async function followHistory(bucket: KeyValue, signal: AbortSignal): Promise<HistoryView> {
  const fold = new HistoryFold();
  const watcher = {
    onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
      // A deleted key, or a wiped bucket, removes nothing: what was recorded stays recorded.
      if (value !== undefined) fold.apply(key, value);
    },
    onReady: () => undefined,
    onReset: () => undefined,
  };
  await bucket.watch(historyKeys, watcher, signal);
  return { log: () => fold.log() };
}
