import { compileSpec, judgeChanges, type LedgerState, type Spec } from "#libs/plan";
import { makeLedger, makeRun, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

import { PastAnswers } from "./past-answers.ts";

function specOf(name: string, text: string): Spec {
  const compiled = compileSpec(sha(name), text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

/** `production 20, pay-.* 60` = percent on `new`; the rest is `old`. */
function print(text: string): string {
  const buckets = text.split(", ").map((each) => {
    const [pattern = "", share = "0"] = each.split(" ");
    return `${pattern}: { old: ${100 - Number(share)}, new: ${share} }\n`;
  });
  return buckets.join("");
}

/** The ledger after these states of main, and the files of each. */
function play(states: readonly string[]) {
  const specs = states.map((text, index) => specOf(`c${index}`, print(text)));
  let ledger: LedgerState = makeLedger();
  for (const [index, after] of specs.entries()) {
    const before = specs[index - 1];
    if (before === undefined) continue;
    const changes = judgeChanges(ledger, before, after);
    const run = makeRun(after.commit, before.commit, { order: index, changes });
    ledger = { ...ledger, runs: { ...ledger.runs, [run.id]: run } };
  }
  return { ledger, specs };
}

/** A namespace of `pay-.*` that has the new revision from this share on, but not with 20 less. */
function findPay(share: number): string {
  const [less, enough] = [share - 20, share].map((each) => specOf("any", print(`production ${each}`)).resolver);
  for (let index = 0; ; index += 1) {
    const name = `pay-${index}`;
    if (less?.resolve(name).revision === "old" && enough?.resolve(name).revision === "new") return name;
  }
}

describe("2.1 the revisions that main wanted for a namespace, without those that main rolled back from", () => {
  const cases: readonly {
    readonly name: string;
    readonly states: readonly string[];
    readonly until?: number;
    readonly want: string;
  }[] = [
    { name: "a share that rises", states: ["production 0", "production 80"], want: "old new" },
    { name: "a share that was lowered", states: ["production 0", "production 80", "production 20"], want: "old" },
    {
      name: "a new bucket whose share was lowered",
      states: ["production 0", "production 0, pay-.* 60", "production 0, pay-.* 0"],
      want: "old",
    },
  ];
  test.each(cases)("$name: $want", ({ states, until, want }) => {
    const { ledger, specs } = play(states);
    // With the files of any commit.
    for (const [order, spec] of specs.entries())
      expect(new PastAnswers(ledger, { spec, order }, specs.at(-1)).list(findPay(60), until)?.join(" ")).toBe(want);
  });
});
