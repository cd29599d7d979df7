import type { NamespaceRow, NamespaceTable } from "#libs/plan";
import { computed, signal } from "@preact/signals";

import { past, picture } from "./past.ts";

type Stamped = NamespaceTable & { readonly stamp: string };

/** The answer of `/v1/namespaces`: all rows, or the changes since the named table. */
type Answer = Omit<Stamped, "rows"> & {
  readonly rows?: readonly NamespaceRow[];
  readonly changed?: readonly NamespaceRow[];
  readonly gone?: readonly string[];
};

/** The newest table of namespaces. */
const present = signal<Stamped | undefined>(undefined);

/** The table that is shown: the newest, or that of an earlier time. */
export const table = computed(() => (past.value.kind === "now" ? present.value : picture.value?.table));

let isReading = false;

/** The earlier rows with the changes, by name. */
function merge(before: readonly NamespaceRow[], { rows, changed = [], gone = [] }: Answer): readonly NamespaceRow[] {
  if (rows !== undefined) return rows;
  const byName = new Map(before.map((row) => [row[0], row]));
  for (const row of changed) byName.set(row[0], row);
  for (const name of gone) byName.delete(name);
  return [...byName.values()].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Reads the table that the api announced, one at a time; a newer one is read after the next pulse. */
export async function readNamespaces(stamp: string): Promise<void> {
  const known = present.value;
  if (isReading || known?.stamp === stamp) return;
  isReading = true;
  try {
    const since = known === undefined ? "" : `?since=${encodeURIComponent(known.stamp)}`;
    const answer = await fetch(`/v1/namespaces${since}`);
    // A failed request is repeated after the next pulse; the header shows the age.
    if (!answer.ok) return;
    const read = (await answer.json()) as Answer;
    const { changed: _, gone: __, ...rest } = read;
    present.value = { ...rest, rows: merge(known?.rows ?? [], read) };
  } catch {
    // The api went away in the middle; the same applies.
  } finally {
    isReading = false;
  }
}
