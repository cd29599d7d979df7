import { type Listing, type ListingFormat, printListing } from "../show/listing.ts";
import { readWidth, type Terminal, write } from "../terminal/terminal.ts";
import { nameState } from "./watch-status.ts";

/** What a row was when it was printed last, by its name and place in the listing. */
type Seen = ReadonlyMap<string, string>;

function nameRows({ rows }: Listing): Seen {
  return new Map(rows.map(({ name, item }, index) => [`${index}:${name}`, nameState(item)]));
}

/** The rows that are new or changed, as kubectl's `-w` prints them below those that were there. */
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

/** Prints the rows, and again each one that changes, until `rest` answers that the person left. */
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
    // Titles come with the first rows: until then there is nothing that they stand over.
    seen = changed.rows.length > 0 || seen !== undefined ? nameRows(listing) : undefined;
  } while (!(await rest()));
}
