import { file } from "../passes/shop.ts";
import type { HostileHands } from "./hostile-objects.ts";

/** A pull request that asks for more than it gets, or is not what it seems. */
export interface Attack {
  readonly name: string;
  /** What its check has to say: for its own sake, and for no other's. */
  readonly want: RegExp;
  /** What its branch has in place of main's own entries. */
  readonly bring: (hands: HostileHands) => readonly string[];
}

const letters = "efghijklmnopqrstuvwxy".split("");
/** More states than names, over and over: hours of matching. */
const slowPatterns = Array.from({ length: 8 }, (_, at) => at + 16).flatMap((count) =>
  letters.map((last) => `"[a-z0-9-]*[a-${last}][a-z0-9-]{${count}}[a-z0-9-]*[_]": { old: 100 }\n`),
);
const many = Array.from({ length: 4000 }, (_, at) => at);
const campaign =
  "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: c }\n" +
  "spec: { target: new, replaces: [old], stages: [{ name: all, set: { production: 100 } }] }\n";
const mebibyte = 1024 * 1024;

/** Sixteen objects, and 10 to the 16th paths. */
function nest(hands: HostileHands): readonly string[] {
  const place = (at: number): string => `f${at}`;
  let level = Array.from({ length: 10 }, (_, at) => hands.file(place(at), "x\n"));
  for (let depth = 1; depth < 16; depth += 1) {
    const inner = level;
    level = Array.from({ length: 10 }, (_, at) => hands.folder(place(at), inner));
  }
  return level;
}

export const attacks: readonly Attack[] = [
  {
    name: "patterns",
    want: /one name may meet \d+ steps/,
    bring: (hands) => [hands.file("rollouts.yml", file(100) + slowPatterns.join(""))],
  },
  {
    name: "nested",
    want: /the line has \d+ columns/,
    bring: (hands) => [hands.file("rollouts.yml", `production: ${"[".repeat(100_000)}`)],
  },
  {
    name: "huge",
    want: /more than meshroll reads/,
    bring: (hands) => [hands.file("rollouts.yml", file(100) + "# all is well\n".repeat(mebibyte / 6))],
  },
  {
    name: "campaigns",
    want: /more than 100 campaign files/,
    bring: (hands) => [
      hands.folder(
        "campaigns",
        many.map((at) => hands.file(`c${at}.yml`, campaign)),
      ),
    ],
  },
  { name: "link", want: /there is no such file/, bring: (hands) => [hands.link("rollouts.yml", file(100))] },
  {
    name: "bomb",
    // Folders below `campaigns/` are no campaigns, and none is opened: what is left moves no workload.
    want: /^success: no bucket/,
    bring: (hands) => [hands.file("meshroll.yml", "{}\n"), hands.folder("campaigns", nest(hands))],
  },
  {
    // Where none of our files lies: it is neither green by us nor merged by us.
    name: "foreign",
    want: /^neutral/,
    bring: (hands) => [hands.folder("docs", nest(hands))],
  },
];
