import { printText, type RecordedStopProblem, renderStopProblem } from "#libs/wording";
import { makeLedger, makeRun, makeStop, runId, sha } from "#test/world/build";
import { describe, expect, it, test } from "vitest";

import type { LedgerState } from "../../records/ledger-state.ts";
import { nameEntryStop } from "./cluster-entries.ts";
import { readRecordedStop, type RecordedStop } from "../../records/recorded-stop.ts";
import { listStopsToRecord, planRecordedStops } from "./recorded-stops-plan.ts";
import type { VerbRequest } from "../../records/snapshot.ts";

const at = "2026-11-19T12:00:00.000Z";
const resume = { at, who: "ana", why: "looked at it" };

function print(problem: RecordedStopProblem | undefined): string {
  return problem === undefined ? "" : printText(renderStopProblem(problem));
}

function makeRequest(change: Partial<VerbRequest> = {}): VerbRequest {
  return { id: "ask-1", verb: "stop", scope: "all", strength: "move", who: "ana", why: "because", at, ...change };
}

function makeRecorded(change: Partial<RecordedStop> = {}): RecordedStop {
  return { id: "s-1", scope: "all", strength: "move", who: "ana", why: "because", at, ...change };
}

function ledgerOf(...stops: readonly ReturnType<typeof makeStop>[]): LedgerState {
  return makeLedger({ stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])) });
}

describe("stops that a cluster remembers", () => {
  interface Known {
    readonly name: string;
    readonly requests?: readonly VerbRequest[];
    readonly ledger?: LedgerState | undefined;
    readonly want: readonly string[];
  }
  const carriedOut = makeLedger({ requests: { "ask-1": { at, answer: "no such run" } } });
  const cases: readonly Known[] = [
    { name: "a verb that is not recorded yet", requests: [makeRequest()], want: ["ask-1"] },
    { name: "a verb without a ledger", requests: [makeRequest()], ledger: undefined, want: ["ask-1"] },
    { name: "a stop of the ledger", ledger: ledgerOf(makeStop({ id: "s", scope: "all" })), want: ["s"] },
    {
      name: "a verb that is in the ledger too: once",
      requests: [makeRequest()],
      ledger: ledgerOf(makeStop({ id: "ask-1", scope: "all" })),
      want: ["ask-1"],
    },
    { name: "not a verb that was carried out without a stop", requests: [makeRequest()], ledger: carriedOut, want: [] },
    { name: "not a hold, because it stops no move", requests: [makeRequest({ strength: "propose" })], want: [] },
    { name: "not a stop of another cluster", requests: [makeRequest({ scope: "cluster/two" })], want: [] },
    { name: "not a verb with an invalid scope", requests: [makeRequest({ scope: "everything" as "all" })], want: [] },
    { name: "not a resume", requests: [makeRequest({ verb: "resume" })], want: [] },
    {
      name: "a rollback, whatever strength its request has",
      requests: [makeRequest({ verb: "rollback", scope: "run/abcabcabcabc", strength: "propose" })],
      want: ["ask-1"],
    },
  ];
  it.each(cases)("7.3 $name", ({ requests = [], want, ...rest }) => {
    const ledger = "ledger" in rest ? rest.ledger : makeLedger();
    expect(listStopsToRecord("one", requests, ledger).map(({ id }) => id)).toEqual(want);
  });

  test("2.4 the entry of a rollback only stops, and says that the rollback has to be requested again", () => {
    const head = sha("head");
    const ledger = makeLedger({ runs: { [runId]: makeRun(head, sha("base")) } });
    const request = makeRequest({ verb: "rollback", scope: `run/${runId}`, now: true, revertTo: sha("other") });
    const [stop] = listStopsToRecord("one", [request], ledger);
    expect(stop).toMatchObject({ strength: "move", why: "a rollback was asked, ask again if it is lost: because" });
    expect(Object.keys(stop ?? {}).filter((name) => name === "revertTo" || name === "now")).toEqual([]);
  });
});

test("7.1 a verb is remembered with its end, and without fields that it does not have", () => {
  const plain = { id: "ask-1", scope: "all", strength: "move", who: "ana", why: "because", at };
  expect(listStopsToRecord("one", [makeRequest()], undefined)).toEqual([plain]);
  expect(listStopsToRecord("one", [makeRequest({ until: at })], undefined)).toEqual([{ ...plain, until: at }]);
  const back = makeRequest({ verb: "rollback", scope: "run/abcabcabcabc" });
  const [slow] = listStopsToRecord("one", [back], undefined);
  expect(Object.keys(slow ?? {}).toSorted()).toEqual(Object.keys(plain).toSorted());
});

describe("what is written to the cluster", () => {
  const text = (stop: RecordedStop) => planRecordedStops("one", [stop], {}, makeLedger()).entries[stop.id] ?? "";
  interface Plan {
    readonly name: string;
    readonly known?: readonly RecordedStop[];
    readonly state?: Readonly<Record<string, string>>;
    readonly ledger?: LedgerState | undefined;
    /** Ids that are written (+) or removed (-). */
    readonly want: readonly string[];
  }
  const cases: readonly Plan[] = [
    { name: "a known stop without an entry is added", known: [makeRecorded()], want: ["+s-1"] },
    {
      name: "a known stop with the same entry is not written again",
      known: [makeRecorded()],
      state: { "s-1": text(makeRecorded()) },
      want: [],
    },
    {
      name: "an entry is removed when the ledger shows the resume",
      state: { "s-1": text(makeRecorded()) },
      ledger: ledgerOf(makeStop({ id: "s-1", scope: "all", resume })),
      want: ["-s-1"],
    },
    {
      name: "an entry of another installation is not removed, even if our ledger ended a stop of that id",
      state: { "s-1": text(makeRecorded({ installation: "othermeshrol" })) },
      ledger: ledgerOf(makeStop({ id: "s-1", scope: "all", resume })),
      want: [],
    },
    {
      name: "an entry is kept while the ledger has its stop",
      state: { "s-1": text(makeRecorded()) },
      ledger: ledgerOf(makeStop({ id: "s-1", scope: "all" })),
      want: [],
    },
    { name: "an entry is kept without a ledger", state: { "s-1": "{}" }, ledger: undefined, want: [] },
    {
      name: "an unreadable entry, which stops the whole cluster, is not replaced by a weaker one",
      known: [makeRecorded({ scope: "run/abcabcabcabc" })],
      state: { "s-1": "stop it please" },
      want: [],
    },
    {
      name: "an unreadable entry is removed when the ledger shows the resume of its stop",
      state: { "s-1": "stop it please" },
      ledger: ledgerOf(makeStop({ id: nameEntryStop("one", "s-1"), scope: "cluster/one", foundIn: "one", resume })),
      want: ["-s-1"],
    },
    {
      name: "a resumed stop is not added again",
      known: [makeRecorded()],
      ledger: ledgerOf(makeStop({ id: "s-1", scope: "all", resume })),
      want: [],
    },
  ];
  it.each(cases)("7.3 $name", ({ known = [], state = {}, want, ...rest }) => {
    const ledger = "ledger" in rest ? rest.ledger : makeLedger();
    const { entries, problems } = planRecordedStops("one", known, state, ledger);
    const signs = Object.entries(entries).map(([id, value]) => `${value === null ? "-" : "+"}${id}`);
    expect([signs.toSorted(), problems]).toEqual([want.toSorted(), []]);
  });

  test("7.3 what is written can be read back, with a long reason cut between letters", () => {
    const stop = makeRecorded({ why: "💥".repeat(100_000), who: "a".repeat(1000), until: at });
    const read = readRecordedStop(text(stop));
    expect(read?.stop).toMatchObject({ id: "s-1", scope: "all", strength: "move", at, until: at });
    expect(read?.stop.why).toMatch(/^💥+\uFFFD?…$/u);
    expect(Buffer.byteLength(text(stop))).toBeLessThan(2500);
  });

  test("7.3 a reason is cut to 500 characters, with a sign that it was cut", () => {
    const why = (length: number) => readRecordedStop(text(makeRecorded({ why: "x".repeat(length) })))?.stop.why;
    expect(why(500)).toBe("x".repeat(500));
    expect(why(501)).toBe(`${"x".repeat(499)}…`);
  });

  test("7.3 an id that is no valid key of a ConfigMap is reported, and the others are written", () => {
    const known = [makeRecorded({ id: "a/b" }), makeRecorded({ id: "" }), makeRecorded({ id: "good" })];
    const { entries, problems } = planRecordedStops("one", known, {}, makeLedger());
    expect(Object.keys(entries)).toEqual(["good"]);
    expect(problems).toHaveLength(2);
    expect(print(problems[0])).toMatch(/^the stop "a\/b" of ana on all cannot be recorded in the cluster/);
  });

  test("7.3 a scope that would fill the map is reported instead", () => {
    const { entries, problems } = planRecordedStops(
      "one",
      [makeRecorded({ scope: `bucket/${"x".repeat(5000)}` })],
      {},
      makeLedger(),
    );
    expect([entries, problems.length, print(problems[0]).length < 400]).toEqual([{}, 1, true]);
  });
});
