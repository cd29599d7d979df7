import { makeLedger, makeRun, sha } from "#test/world/build";
import { describe, expect, test } from "vitest";

import type { ActiveStop } from "../../stops/stops.ts";
import { findUnconfirmed, isRolledBackNow, isItemRolledBackNow, isConfirmed } from "./confirmed.ts";
import type { ExecutorSnapshot } from "./facts.ts";

const run = makeRun(sha("head"), sha("before"));
const ledger = makeLedger({ runs: { [run.id]: run } });
const at = "2026-11-19T12:34:56.000Z";
const minute = 60_000;

function rollback(from: ActiveStop["from"], more: Partial<ActiveStop> = {}): ActiveStop {
  const who = { who: "ana", why: "5xx", at, from };
  return { id: "r", scope: `run/${run.id}`, strength: "move", ...who, revertTo: sha("before"), now: true, ...more };
}

interface Case {
  readonly name: string;
  readonly control?: ExecutorSnapshot["control"];
  readonly mainAgeMs?: number;
  readonly stop: ActiveStop;
  readonly want: boolean;
}

describe("2.4 12.1 whether a rollback --now holds although git does not confirm main", () => {
  const cases: readonly Case[] = [
    { name: "on the bus, main is old", mainAgeMs: 60 * minute, stop: rollback("control"), want: true },
    {
      name: "on the bus, main was not read since the start",
      mainAgeMs: Infinity,
      stop: rollback("control"),
      want: true,
    },
    {
      name: "in the ledger, control names a newer ledger, main is young",
      control: "ahead",
      stop: rollback("ledger"),
      want: true,
    },
    {
      name: "in the ledger, control names a newer ledger, main is old",
      control: "ahead",
      mainAgeMs: 11 * minute,
      stop: rollback("ledger"),
      want: false,
    },
    { name: "a rollback of another run", stop: rollback("control", { scope: "run/ffffffffffff" }), want: false },
  ];
  test.each(cases)("$name: $want", ({ control = "fresh", mainAgeMs = 0, stop, want }) => {
    const snapshot = { control, mainAgeMs, ledger, stops: [stop] };
    expect([isRolledBackNow(snapshot, { run: run.id }), isItemRolledBackNow(snapshot, { run: run.id }, at)]).toEqual([
      want,
      want,
    ]);
  });
});

describe("12.1 when git confirms main", () => {
  const cases = [
    { name: "main was read ten minutes ago", control: "fresh" as const, mainAgeMs: 10 * minute, want: undefined },
    {
      name: "main was read more than ten minutes ago",
      control: "fresh" as const,
      mainAgeMs: 10 * minute + 1,
      want: "MainUnknown",
    },
    { name: "control names a newer ledger", control: "ahead" as const, mainAgeMs: 0, want: "ControlAhead" },
  ];
  test.each(cases)("$name", ({ want, ...view }) => {
    const found = findUnconfirmed(view);
    expect(found?.kind === "wait" ? found.reason.code : undefined).toBe(want);
    expect(isConfirmed(view)).toBe(want === undefined);
  });
});
