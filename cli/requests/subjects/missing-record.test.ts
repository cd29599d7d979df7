import type { LedgerState } from "#libs/plan";
import { makeLedger, makeRun, makeStop, sha } from "#test/world/build";
import { expect, test } from "vitest";

import type { OpenStop, ResumeSubject } from "../find-resumed.ts";
import { findMissingRecord } from "./missing-record.ts";

const run = "0ff56d2715bc";
const head = `${run}${sha("x").slice(12)}`;
const stop = makeStop({ id: "pause-1", scope: "all" });
const recorded = makeLedger({
  main: head,
  judged: head,
  runs: { [run]: makeRun(head, sha("y")) },
  stops: { "pause-1": stop },
});
const inForce: readonly OpenStop[] = [{ ...stop, strength: "move" }];

const cases: readonly {
  readonly name: string;
  readonly subject: ResumeSubject;
  readonly ledger?: LedgerState | undefined;
  readonly want: readonly string[] | undefined;
}[] = [
  {
    name: "a misspelt run",
    subject: { scope: "run/0ff56d2715bd" },
    want: ["there is no run 0ff56d2715bd", `did you mean ${run}?`, `known: ${run}`],
  },
  { name: "a run that is recorded", subject: { scope: `run/${run}` }, want: undefined },
  {
    name: "an unknown run, without the ledger",
    subject: { scope: "run/0ff56d2715bd" },
    ledger: undefined,
    want: undefined,
  },
  {
    name: "a misspelt stop",
    subject: { id: "pause-2" },
    want: ["no stop pause-2 was ever recorded", "did you mean pause-1?"],
  },
  { name: "a stop that is recorded", subject: { id: "pause-1" }, want: undefined },
  {
    name: "an unknown stop, without the ledger",
    subject: { id: "hold-99" },
    ledger: undefined,
    want: ["no stop hold-99 is active"],
  },
];

test.each(cases)("an unknown subject of a resume: $name", (each) => {
  const ledger = "ledger" in each ? each.ledger : recorded;
  const missing = findMissingRecord(each.subject, ledger, inForce);
  expect(missing && [missing.message, ...missing.help]).toEqual(each.want);
});
