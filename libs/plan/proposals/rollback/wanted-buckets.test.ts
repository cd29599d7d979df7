import { makeLedger, makeRun, sha } from "#test/world/build";
import { describe, expect, it } from "vitest";

import { listWantedBuckets } from "./wanted-buckets.ts";

const [before, after] = [sha("before"), sha("after")];

/** Distributions of `old` and `new`, as the ledger prints them. */
const at = (share: number): string =>
  JSON.stringify([...(share > 0 ? [["new", share]] : []), ...(share < 100 ? [["old", 100 - share]] : [])]);
const fileOf = (production: number, pay: number): string =>
  `production: { old: ${100 - production}, new: ${production} }\npay-.*: { old: ${100 - pay}, new: ${pay} }\n`;

describe("2.2 the buckets of its run that a rollback sets back", () => {
  const own = makeRun(after, before, {
    order: 2,
    changes: [
      { pattern: "pay-.*", from: at(50), to: at(100), direction: "forward" },
      { pattern: "production", from: at(0), to: at(60), direction: "forward" },
    ],
  });
  const earlier = makeRun(before, sha("base"), {
    order: 1,
    changes: [{ pattern: "pay-.*", from: at(0), to: at(50), direction: "forward" }],
  });
  const back = makeRun(sha("later"), after, {
    order: 3,
    changes: [{ pattern: "pay-.*", from: at(100), to: at(0), direction: "rollback" }],
  });
  const ledgerOf = (...runs: (typeof own)[]) =>
    makeLedger({ runs: Object.fromEntries(runs.map((run) => [run.id, run])) });

  it.each([
    {
      name: "all of them, right after the run",
      ledger: ledgerOf(earlier, own),
      old: fileOf(0, 50),
      want: ["pay-.*", "production"],
    },
    {
      name: "not one that was rolled back further since",
      ledger: ledgerOf(earlier, own, back),
      old: fileOf(0, 50),
      want: ["production"],
    },
    {
      name: "all of them, if the older file does not parse",
      ledger: ledgerOf(earlier, own, back),
      old: "?",
      want: ["pay-.*", "production"],
    },
  ])("$name", ({ ledger, old, want }) => expect(listWantedBuckets(ledger, own, old)).toEqual(want));
});
