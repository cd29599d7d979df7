import { makeLedger, makeRun, makeStop, sha } from "#test/world/build";
import type { LedgerState, RunRecord } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { Refusal } from "../../terminal/refusal.ts";
import { printSentence } from "../../terminal/sentence.ts";
import { dropRolledBack, refuseRetryOf } from "./rolled-back-already.ts";

const [a, b, c] = [sha("a"), sha("b"), sha("c")];
const [idOfA, idOfB, idOfC] = [a.slice(0, 12), b.slice(0, 12), c.slice(0, 12)];
const raised = { pattern: "production", from: "old: 100", to: "new: 100", direction: "forward" as const };
const lowered = { pattern: "production", from: "new: 100", to: "old: 100", direction: "rollback" as const };
const forward = makeRun(a, sha("base"), { order: 1, state: "done", changes: [raised] });
const hold = makeStop({
  id: "rolledBack-1",
  scope: "bucket/production",
  strength: "move",
  cause: "rolledBack",
  rollbackOf: idOfA,
});

function makeBoth(change: Partial<RunRecord> = {}, stops: LedgerState["stops"] = {}): LedgerState {
  const times = { startedAt: "2026-11-19T12:00:00.000Z", endedAt: "2026-11-19T12:05:00.000Z" };
  const back = makeRun(b, a, { order: 2, state: "done", author: "ana", ...times, changes: [lowered], ...change });
  return makeLedger({ runs: { [idOfA]: forward, [idOfB]: back }, stops });
}

/** The stage's run, its rollback, and the stage's next run. */
function makeAgain(): LedgerState {
  const stage = { campaign: "up", stage: "half" };
  const { runs } = makeBoth();
  const again = makeRun(c, b, { order: 3, state: "open", changes: [raised], ...stage });
  return makeLedger({ runs: { ...runs, [idOfA]: { ...forward, ...stage }, [idOfC]: again } });
}

function drop(ledger: LedgerState, change: { readonly revertTo?: string } = {}): string {
  try {
    return dropRolledBack([{ run: idOfA, record: forward, ...change }], ledger)
      .map(({ run }) => run)
      .join(",");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.exitCode, error.message, ...error.help.map(printSentence)].join("\n");
  }
}

describe("a rollback of a run that was rolled back", () => {
  const cases: readonly {
    readonly name: string;
    readonly ledger: LedgerState;
    readonly revertTo?: string;
    readonly want: RegExp;
  }[] = [
    {
      name: "says by which run and when, and that its hold is over",
      ledger: makeBoth(),
      want: new RegExp(
        `^65\nrun ${idOfA} was rolled back already, by run ${idOfB} \\(ana\\) at 2026-11-19 .*\nno hold of it is active$`,
        "u",
      ),
    },
    {
      name: "names the command that ends a hold in force",
      ledger: makeBoth({}, { [hold.id]: hold }),
      want: /its hold rolledBack-1 on bucket\/production is active; this ends it:\nmeshroll unhold bucket\/production --reason "…"$/u,
    },
    {
      name: "names no hold that was ended",
      ledger: makeBoth({}, { [hold.id]: { ...hold, resume: { at: "", who: "ana", why: "" } } }),
      want: /no hold of it is active$/u,
    },
    {
      name: "that is in progress says so",
      ledger: makeBoth({ state: "open" }),
      want: /and this is in progress: [^]*\nmeshroll status -w$/u,
    },
    {
      name: "goes on where its rollback vanished from main",
      ledger: makeBoth({ state: "gone" }),
      want: new RegExp(`^${idOfA}$`, "u"),
    },
    {
      name: "goes on where only a part was taken back",
      ledger: makeBoth({ changes: [{ ...lowered, to: "old: 50, new: 50" }] }),
      want: new RegExp(`^${idOfA}$`, "u"),
    },
    {
      name: "goes on where it is to go back further",
      ledger: makeBoth(),
      revertTo: a,
      want: new RegExp(`^${idOfA}$`, "u"),
    },
  ];
  it.each(cases)("$name", ({ ledger, revertTo, want }) => {
    expect(drop(ledger, revertTo === undefined ? {} : { revertTo })).toMatch(want);
  });
});

describe("a retry", () => {
  const retried = (ledger: LedgerState): string => {
    try {
      refuseRetryOf(idOfA, ledger);
      return "taken";
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return [error.exitCode, error.message, ...error.help.map(printSentence)].join("\n");
    }
  };
  const cases: readonly { readonly name: string; readonly ledger: LedgerState; readonly want: RegExp }[] = [
    {
      name: "of a run that was rolled back is refused, with the command that ends the hold on its own line",
      ledger: makeBoth({}, { [hold.id]: hold }),
      want: new RegExp(
        String.raw`^65\nnothing to retry: run \w+ was rolled back by run \w+\nits change has to be merged again, ` +
          String.raw`once a person ends the hold\n.*\nmeshroll unhold bucket/production --reason "…"$`,
        "u",
      ),
    },
    {
      name: "of one without a hold says that there is none, and that only a merge brings its change again",
      ledger: makeBoth(),
      want: /its change has to be merged again: no hold of it is active$/u,
    },
    {
      name: "of a stage that came again names the run in which it did",
      ledger: makeAgain(),
      want: new RegExp(`its stage came again as run ${idOfC}:\nmeshroll retry run/${idOfC} --reason "…"$`, "u"),
    },
    { name: "of a run that nothing took back is taken", ledger: makeBoth({ state: "gone" }), want: /^taken$/u },
  ];
  it.each(cases)("$name", ({ ledger, want }) => {
    expect(retried(ledger)).toMatch(want);
  });
});
