import type { Caller } from "../terminal/called-as.ts";
import type { Sentence } from "../terminal/sentence.ts";
import { type FittedTable, fitTable } from "../text/table.ts";
import { chooseProse, wrapSentences } from "../text/wrap-text.ts";

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
  /** Titles of `header` that a narrow terminal goes without, the least important first; never NAME, nor what is asked for. */
  readonly spare: readonly string[];
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

function fit({ header, wideHeader, rows, spare }: Listing, format: ListingFormat, width: number): FittedTable {
  if (format !== "wide")
    return fitTable(
      header,
      rows.map(({ cells }) => cells),
      { width, spare },
    );
  const cells = rows.map((row) => [...row.cells, ...row.wide]);
  return fitTable([...header, ...wideHeader], cells, { width: Number.POSITIVE_INFINITY });
}

/**
 * The listing in the requested format; `undefined` where there are no rows and a person is told so. Without its titles for
 * scripts.
 */
export function printListing(
  listing: Listing,
  format: ListingFormat,
  columns: number,
  isWithTitles = true,
): string | undefined {
  const { prefix, rows } = listing;
  if (format === "json") return printJson(listing);
  if (rows.length === 0) return undefined;
  if (format === "name") return `${rows.map(({ name }) => `${prefix}/${name}`).join("\n")}\n`;
  const { lines } = fit(listing, format, columns);
  return `${(isWithTitles ? lines : lines.slice(1)).join("\n")}\n`;
}

/** Titles of the columns for which the terminal has no room. */
export function findHidden(listing: Listing, format: ListingFormat, columns: number): readonly string[] {
  return listing.rows.length === 0 ? [] : fit(listing, format, columns).hidden;
}

/** The listing without these columns, and no other goes. */
export function dropColumns(listing: Listing, hidden: readonly string[]): Listing {
  const { header, rows } = listing;
  const pick = (cells: readonly string[]): readonly string[] =>
    cells.filter((_, column) => !hidden.includes(header[column] ?? ""));
  return { ...listing, header: pick(header), spare: [], rows: rows.map((row) => ({ ...row, cells: pick(row.cells) })) };
}

/** What is told to a person next to the rows: the columns for which the terminal has no room, and the listing's notes. */
export function printNotes(
  listing: Listing,
  format: ListingFormat,
  caller: Caller,
  columns = Number.POSITIVE_INFINITY,
): readonly string[] {
  if (format === "json" || format === "name") return [];
  const hidden = findHidden(listing, format, columns);
  const left = hidden.length === 0 ? [] : [`not shown at ${columns} columns: ${hidden.join(", ")}; -o wide has all`];
  return wrapSentences([...left, ...(listing.notes ?? [])], caller, chooseProse(columns));
}
