import type { KeyValue } from "#libs/bus";
import { NamespaceFold, namespaceKeys, type StampedTable } from "#libs/events";

/** The planner's table of namespaces, as this process saw it last. */
export interface NamespacesView {
  /** Undefined while none was seen. */
  table(): StampedTable | undefined;
  /** One of the last tables, by its stamp. */
  earlier(stamp: string): StampedTable | undefined;
}

/** A page that was away for longer reads the whole table again. With 10,000 namespaces a table has a megabyte. */
const mostEarlier = 8;

/** Follows KV `status`, keys `namespaces.*`. `onChange` gets the stamp of each new table. */
export async function followNamespaces(
  bucket: KeyValue,
  onChange: (stamp: string) => void,
  signal: AbortSignal,
): Promise<NamespacesView> {
  const fold = new NamespaceFold();
  let kept: readonly StampedTable[] = [];
  const watcher = {
    onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
      // A deleted key, or a wiped bucket, removes nothing: the last table stays, and its time shows its age.
      if (value === undefined || !fold.apply(key, value)) return;
      const table = fold.table();
      if (table === undefined) return;
      kept = [...kept, table].slice(-mostEarlier);
      onChange(table.stamp);
    },
    onReady: () => undefined,
    onReset: () => undefined,
  };
  await bucket.watch(namespaceKeys, watcher, signal);
  return {
    table: () => fold.table(),
    earlier: (stamp) => kept.find((each) => each.stamp === stamp),
  };
}
