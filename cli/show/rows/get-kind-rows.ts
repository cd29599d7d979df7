import { listKinds } from "../../names/kinds.ts";
import type { Listing } from "../listing.ts";

/** The kinds that `get` lists. */
export function listKindRows(): Listing {
  return {
    kind: "KindList",
    prefix: "kind",
    header: ["NAME", "SHORT", "SHOWS"],
    spare: [],
    wideHeader: [],
    rows: listKinds().map(({ kind, words, shows }) => ({
      name: kind,
      cells: [kind, words.join(",") || "-", shows],
      wide: [],
      item: { name: kind, short: words, shows },
    })),
  };
}
