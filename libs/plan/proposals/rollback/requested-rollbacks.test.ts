import { listRequestedRollbacks } from "#libs/plan";
import { makeLedger, makeRun, makeSnapshot, makeStop, sha } from "#test/world/build";
import { describe, expect, it } from "vitest";

const before = sha("before");

describe("10.3 the branch of a rollback", () => {
  const run = makeRun(sha("after"), before);
  const rollback = (id: string, at: string, resumed = false) =>
    makeStop({
      id,
      at,
      scope: `run/${run.id}`,
      cause: "rollback",
      revertTo: before,
      ...(resumed ? { resume: { at, who: "planner", why: "main says so" } } : {}),
    });
  const ledgerWith = (stops: readonly ReturnType<typeof rollback>[]) =>
    makeLedger({ runs: { [run.id]: run }, stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])) });
  const branches = (...stops: readonly ReturnType<typeof rollback>[]): readonly string[] =>
    listRequestedRollbacks(makeSnapshot({ ledger: ledgerWith(stops) })).map(({ branch }) => branch);

  it("is named by its run", () => {
    expect(branches(rollback("b", "2026-11-19T12:00:00.000Z"))).toEqual([`meshroll/rollback/${run.id}`]);
  });

  it("gets a number suffix per earlier rollback of the run, ended or not", () => {
    const first = rollback("z", "2026-11-19T12:00:00.000Z", true);
    const second = rollback("y", "2026-11-19T13:00:00.000Z");
    const third = rollback("x", "2026-11-19T14:00:00.000Z");
    expect(branches(third, first, second)).toEqual([`meshroll/rollback/${run.id}-2`, `meshroll/rollback/${run.id}-3`]);
  });

  it("has no suffix for a pause of the run or a rollback of another run", () => {
    const [at, late] = ["2026-11-19T11:00:00.000Z", "2026-11-19T12:00:00.000Z"];
    const pause = makeStop({ id: "p", at, scope: `run/${run.id}` });
    const other = { ...rollback("o", at), scope: "run/aaaaaaaaaaaa" as const };
    expect(branches(pause, other, rollback("b", late))).toEqual([`meshroll/rollback/${run.id}`]);
  });

  it("does not exist for a pause of the run, or for a run whose commit vanished", () => {
    expect(branches(makeStop({ id: "p", scope: `run/${run.id}` }))).toEqual([]);
    const gone = makeLedger({ runs: { [run.id]: { ...run, state: "gone" } }, stops: { b: rollback("b", "1") } });
    expect(listRequestedRollbacks(makeSnapshot({ ledger: gone }))).toEqual([]);
  });

  it("does not exist for a rollback to a commit that main does not have", () => {
    const { main, ...snapshot } = makeSnapshot({ ledger: ledgerWith([rollback("b", "2026-11-19T12:00:00.000Z")]) });
    expect(listRequestedRollbacks({ ...snapshot, main: { ...main, vanished: [before] } })).toEqual([]);
  });
});
