import { type Ask, collectMoveStops, decide, isStopScope } from "#libs/plan";
import { makeCluster, makeLedger, makeStop, makeWorkload, makeWorld, runId, sha } from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { describe, expect, test } from "vitest";

const ask: Ask = {
  id: "v1",
  verb: "stop",
  scope: "all",
  strength: "move",
  who: "ana",
  why: "5xx",
  at: "2026-11-19T12:10:00Z",
};
const lift = { at: "", who: "ana", why: "" };
const withStops = (stops: { readonly kubectl: boolean; readonly recorded: Record<string, string> }) =>
  makeCluster("one", [makeWorkload("shop/a")], { facts: { stops } });
const quiet = withStops({ kubectl: false, recorded: {} });
const s1 = makeStop({ id: "s1", scope: "namespace/shop" });

describe("stops in force, from all three places", () => {
  const cases: readonly {
    readonly name: string;
    readonly ledger?: ReturnType<typeof makeLedger>;
    readonly asks?: readonly Ask[];
    readonly cluster?: typeof quiet;
    readonly want: readonly string[];
  }[] = [
    { name: "7.2 the ledger's", ledger: makeLedger({ stops: { s1 } }), want: ["s1 namespace/shop ledger"] },
    { name: "7.2 not those that were lifted there", ledger: makeLedger({ stops: { s1: { ...s1, lift } } }), want: [] },
    { name: "7.2 a verb from the moment it is asked", asks: [ask], want: ["v1 all control"] },
    {
      name: "7.2 once: the recorded verb is the ledger's",
      asks: [ask],
      ledger: makeLedger({ asks: { v1: { at: "", answer: "" } }, stops: { v1: makeStop({ id: "v1", scope: "all" }) } }),
      want: ["v1 all ledger"],
    },
    {
      name: "7.2 a lift that is only asked lifts nothing",
      asks: [{ ...ask, verb: "lift", scope: "namespace/shop" }],
      ledger: makeLedger({ stops: { s1 } }),
      want: ["s1 namespace/shop ledger"],
    },
    {
      name: "7.3 kubectl's ConfigMap, whatever it holds",
      cluster: withStops({ kubectl: true, recorded: {} }),
      want: ["kubectl cluster/one cluster"],
    },
    {
      name: "7.3 an entry that only the cluster has",
      cluster: withStops({ kubectl: false, recorded: { x1: "{}" } }),
      want: ["x1 cluster/one cluster"],
    },
    {
      name: "7.3 not one whose lift the ledger shows",
      cluster: withStops({ kubectl: false, recorded: { s1: "{}" } }),
      ledger: makeLedger({ stops: { s1: { ...s1, lift } } }),
      want: [],
    },
    {
      name: "7.1 a stop of strength propose holds no move",
      ledger: makeLedger({ stops: { s1: { ...s1, strength: "propose" } } }),
      want: [],
    },
  ];
  test.each(cases)("$name", ({ ledger, asks = [], cluster = quiet, want }) => {
    const stops = collectMoveStops(ledger, asks, [cluster]);
    expect(stops.map(({ id, scope, from }) => `${id} ${scope} ${from}`)).toEqual(want);
  });
});

test.each(["all", "cluster/one", `run/${runId}`, "namespace/shop", "bucket/production"] as const)(
  "4.1 nothing is handed out to what a stop on %s covers, and it is named with the command that mends it",
  (scope) => {
    const ledger = openRunLedger({ stops: { s: makeStop({ id: "s", scope }) } });
    const [decision] = decide(makeWorld({ ledger, clusters: new Map([["one", quiet]]) }));
    expect(decision).toMatchObject({
      kind: "wait",
      reason: { code: "Stopped", owner: "ana", command: expect.stringContaining(`meshroll resume ${scope}`) },
    });
  },
);

test("8.2 a verb's stop is recorded with its id, its actor and main's head", () => {
  const [decision] = decide(makeWorld({ asks: [ask], clusters: new Map([["one", quiet]]) }));
  if (decision?.kind !== "placeStop") throw new Error("a stop is placed");
  expect(decision.ledger.stops["v1"]).toMatchObject({ id: "v1", scope: "all", who: "ana", cause: "verb" });
  expect([decision.ledger.main, Object.keys(decision.ledger.asks)]).toEqual([sha("head"), ["v1"]]);
});

test.each([
  ["all", true],
  ["run/abc", true],
  ["bucket/shop-.*", true],
  ["run/", false],
  ["everything", false],
  ["pod/a", false],
])("7.1 %s as a scope: %s", (text, want) => {
  expect(isStopScope(text)).toBe(want);
});
