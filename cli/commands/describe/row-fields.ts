import type { Listing, Row } from "../../show/listing.ts";

/** Titles of `get` whose word is not the label. */
const labels: ReadonlyMap<string, string> = new Map([
  ["N", "Number"],
  ["NS", "Namespaces"],
]);

/** `ON-DESIRED` is `On desired`. */
function nameLabel(title: string): string {
  const words = title.toLowerCase().replaceAll("-", " ");
  return labels.get(title) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** The columns of `get -o wide` as fields, so that both say the same; without those that are empty. */
export function listRowFields(
  { header, wideHeader }: Listing,
  { cells, wide }: Row,
): readonly (readonly [label: string, value: string])[] {
  const values = [...cells, ...wide];
  return [...header, ...wideHeader].flatMap((title, at) => {
    const value = values[at] ?? "-";
    return value === "-" ? [] : [[nameLabel(title), value] as const];
  });
}
