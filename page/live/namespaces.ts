import type { NamespaceRow, NamespaceTable } from "#libs/plan";
import { signal } from "@preact/signals";

type Stamped = NamespaceTable & { readonly stamp: string };

/** What `/v1/namespaces` answers: all rows, or what changed since the table that was named. */
type Answer = Omit<Stamped, "rows"> & {
  readonly rows?: readonly NamespaceRow[];
  readonly changed?: readonly NamespaceRow[];
  readonly gone?: readonly string[];
};

/** The newest table of namespaces. */
export const table = signal<Stamped | undefined>(undefined);

let isReading = false;

/** The rows of before with what changed, by name. */
function merge(before: readonly NamespaceRow[], { rows, changed = [], gone = [] }: Answer): readonly NamespaceRow[] {
  if (rows !== undefined) return rows;
  const byName = new Map(before.map((row) => [row[0], row]));
  for (const row of changed) byName.set(row[0], row);
  for (const name of gone) byName.delete(name);
  return [...byName.values()].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Reads the table that the api announced, once at a time: the next sign of life asks again for one that is newer by then. */
export async function readNamespaces(stamp: string): Promise<void> {
  const known = table.value;
  if (isReading || known?.stamp === stamp) return;
  isReading = true;
  try {
    const since = known === undefined ? "" : `?since=${encodeURIComponent(known.stamp)}`;
    const answer = await fetch(`/v1/namespaces${since}`);
    // What fails here is asked again with the next sign of life, and the header says how old the picture is.
    if (!answer.ok) return;
    const read = (await answer.json()) as Answer;
    const { changed: _, gone: __, ...rest } = read;
    table.value = { ...rest, rows: merge(known?.rows ?? [], read) };
  } catch {
    // The api went away in the middle: the same holds.
  } finally {
    isReading = false;
  }
}
