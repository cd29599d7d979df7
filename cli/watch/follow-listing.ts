import { type Listing, type ListingFormat, printListing } from "../show/listing.ts";
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

function printPart(listing: Listing, format: ListingFormat, terminal: Terminal, isFirst: boolean): string {
  if (format === "json") {
    const { kind, rows } = listing;
    return `${JSON.stringify({ apiVersion: "meshroll.dev/v1", kind, items: rows.map(({ item }) => item) })}\n`;
  }
  const printed = printListing(listing, format, readWidth(terminal)) ?? "";
  return isFirst || format === "name" ? printed : printed.slice(printed.indexOf("\n") + 1);
}

/** Prints the rows, and each changed row again, until `rest` returns that the person left. */
export async function followListing(
  read: () => Promise<Listing>,
  format: ListingFormat,
  terminal: Terminal,
  rest: () => Promise<boolean>,
): Promise<void> {
  let seen: Seen | undefined;
  do {
    const listing = await read();
    const changed = seen === undefined ? listing : pickChanged(listing, seen);
    if (changed.rows.length > 0) await write(terminal.stdout, printPart(changed, format, terminal, seen === undefined));
    // Titles are printed with the first rows.
    seen = changed.rows.length > 0 || seen !== undefined ? nameRows(listing) : undefined;
  } while (!(await rest()));
}
