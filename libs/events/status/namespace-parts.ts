import type { NamespaceRow, NamespaceTable } from "#libs/plan";
import { z } from "zod";

import { matchJson } from "../forms.ts";

/** Rows in one value: names have at most 63 characters, so the value stays far below 1 MiB. */
const rowsInPart = 4000;
/** The most parts that are read. */
const mostParts = 64;

/** Keys of KV `status` with the table: its head, and its rows in parts. */
export const namespaceKeys = "namespaces.*";
const headKey = "namespaces.head";

const text = z.string().max(300);
const place = z.int().min(-1).max(100_000);
const row = z.tuple([
  text,
  place,
  z.number().nullable(),
  place,
  place,
  place,
  z.int().min(0),
  z.int().min(0),
  z.array(place).max(1000),
  z.array(place).max(1000).exactOptional(),
]);

const head = z.object({
  apiVersion: z.literal("meshroll.dev/v1"),
  kind: z.literal("NamespaceTable"),
  stamp: text,
  parts: z.int().min(0).max(mostParts),
  at: text,
  head: text,
  revisions: z.array(text),
  states: z.array(text),
  buckets: z.array(
    z.object({
      bucket: z.string(),
      shares: z.array(z.object({ revision: text, requested: z.number() })),
      to: text.exactOptional(),
    }),
  ),
  clusters: z.array(
    z.object({
      name: text,
      revisions: z.array(z.object({ revision: text, requested: z.number(), actual: z.number(), healthy: z.number() })),
      mixed: z.number(),
    }),
  ),
});

const part = z.object({ stamp: text, rows: z.array(row) });

/** The table with the stamp under which its values were written. */
export type StampedTable = NamespaceTable & { readonly stamp: string };

/** The values of a table for KV `status`, in writing order: the head is last and has the stamp of all parts. */
export function printNamespaceParts(table: NamespaceTable, stamp: string): readonly (readonly [string, string])[] {
  const { rows, ...rest } = table;
  const parts = Array.from({ length: Math.ceil(rows.length / rowsInPart) }, (_, at) => {
    const some = rows.slice(at * rowsInPart, (at + 1) * rowsInPart);
    return [`namespaces.${at}`, JSON.stringify({ stamp, rows: some })] as const;
  });
  return [...parts, [headKey, JSON.stringify({ ...rest, stamp, parts: parts.length })]];
}

/**
 * Assembles a table from values that arrive one by one; a table is complete when its head and all parts of that stamp are
 * there.
 */
export class NamespaceFold {
  readonly #parts = new Map<string, z.infer<typeof part>>();
  #head: z.infer<typeof head> | undefined;
  #whole: StampedTable | undefined;

  /** True when a new table is complete. */
  apply(key: string, value: string): boolean {
    if (key === headKey) this.#head = matchJson(head, value) ?? this.#head;
    else {
      const read = matchJson(part, value);
      if (read !== undefined) this.#parts.set(key, read);
    }
    return this.#complete();
  }

  #complete(): boolean {
    if (this.#head === undefined || this.#head.stamp === this.#whole?.stamp) return false;
    const { parts, ...rest } = this.#head;
    const found = Array.from({ length: parts }, (_, at) => this.#parts.get(`namespaces.${at}`));
    if (!found.every((each) => each?.stamp === rest.stamp)) return false;
    const rows: readonly NamespaceRow[] = found.flatMap((each) => each?.rows ?? []);
    this.#whole = { ...rest, rows } as StampedTable;
    return true;
  }

  /** The newest complete table. */
  table(): StampedTable | undefined {
    return this.#whole;
  }
}
