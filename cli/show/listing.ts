import type { Caller } from "../terminal/called-as.ts";
import type { Sentence } from "../terminal/sentence.ts";
import { printTable } from "../text/table.ts";
import { wrapSentences } from "../text/wrap-text.ts";

/** One row of a listing. */
export interface Row {
  /** The name after the kind in `-o name`, enough for another command. */
  readonly name: string;
  readonly cells: readonly string[];
  /** Further cells of `-o wide`. */
  readonly wide: readonly string[];
  /** The object for `-o json`. */
  readonly item: object;
}

/** Things of one kind, as kubectl lists them. */
export interface Listing {
  /** Of `-o json`: `RunList`, … */
  readonly kind: string;
  /** Of `-o name`: `run/…`. */
  readonly prefix: string;
  readonly header: readonly string[];
  readonly wideHeader: readonly string[];
  readonly rows: readonly Row[];
  /** Notes for people, on stderr, so that stdout has only rows. */
  readonly notes?: readonly Sentence[];
  /** Next to `items` of `-o json`. */
  readonly summary?: Readonly<Record<string, unknown>>;
}

export type ListingFormat = "human" | "wide" | "json" | "name";

function printJson({ kind, rows, summary }: Listing): string {
  const items = rows.map(({ item }) => item);
  return `${JSON.stringify({ apiVersion: "meshroll.dev/v1", kind, ...summary, items }, undefined, 2)}\n`;
}

/** The listing in the requested format; `undefined` where there are no rows and a person is told so. */
export function printListing(listing: Listing, format: ListingFormat, columns: number): string | undefined {
  const { prefix, header, wideHeader, rows } = listing;
  if (format === "json") return printJson(listing);
  if (rows.length === 0) return undefined;
  if (format === "name") return `${rows.map(({ name }) => `${prefix}/${name}`).join("\n")}\n`;
  const isWide = format === "wide";
  const titles = isWide ? [...header, ...wideHeader] : header;
  const cells = rows.map((row) => (isWide ? [...row.cells, ...row.wide] : row.cells));
  return `${printTable(titles, cells, isWide ? Number.POSITIVE_INFINITY : columns).join("\n")}\n`;
}

/** What is told to a person next to the rows. */
export function printNotes({ notes = [] }: Listing, format: ListingFormat, caller: Caller): readonly string[] {
  return format === "human" || format === "wide" ? wrapSentences(notes, caller) : [];
}
