import { dropColumns, findHidden, type Listing, type ListingFormat, printListing } from "../show/listing.ts";
import { readWidth, type Terminal, write } from "../terminal/terminal.ts";
import { nameState } from "./watch-status.ts";

/** The rows as they were last printed, by name and order. */
type Seen = ReadonlyMap<string, string>;

function nameRows({ rows }: Listing): Seen {
  return new Map(rows.map(({ name, item }, index) => [`${index}:${name}`, nameState(item)]));
}

/** New and changed rows, as with kubectl's `-w`. */
function pickChanged(listing: Listing, seen: Seen): Listing {
  const known = new Set([...seen].map(([key, state]) => `${key.slice(key.indexOf(":") + 1)} ${state}`));
  return { ...listing, rows: listing.rows.filter(({ name, item }) => !known.has(`${name} ${nameState(item)}`)) };
}

/** How the rows are printed. */
export interface RowStyle {
  readonly format: ListingFormat;
  /** The titles stand above the first rows. */
  readonly isWithTitles: boolean;
}

function printPart(listing: Listing, { format, isWithTitles }: RowStyle, terminal: Terminal): string {
  if (format === "json") {
    const { kind, rows } = listing;
    return `${JSON.stringify({ apiVersion: "meshroll.dev/v1", kind, items: rows.map(({ item }) => item) })}\n`;
  }
  return printListing(listing, format, readWidth(terminal), isWithTitles) ?? "";
}

/** Prints the rows, and each changed row again, until `rest` returns that the person left. */
export async function followListing(
  read: () => Promise<Listing>,
  style: RowStyle,
  terminal: Terminal,
  rest: () => Promise<boolean>,
): Promise<void> {
  const { format } = style;
  let seen: Seen | undefined;
  let hidden: readonly string[] | undefined;
  do {
    const listing = await read();
    const changed = seen === undefined ? listing : pickChanged(listing, seen);
    if (changed.rows.length > 0) {
      // Later rows have the columns of the first ones, whose titles stand above them.
      hidden ??= findHidden(listing, format, readWidth(terminal));
      const isWithTitles = style.isWithTitles && seen === undefined;
      await write(terminal.stdout, printPart(dropColumns(changed, hidden), { format, isWithTitles }, terminal));
    }
    // Titles are printed with the first rows.
    seen = changed.rows.length > 0 || seen !== undefined ? nameRows(listing) : undefined;
  } while (!(await rest()));
}
