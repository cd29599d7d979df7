import { type VerbRequest, collectMoveStops, decide, isStopScope, printRecordedStop, type StopScope } from "#libs/plan";
import { makeCluster, makeLedger, makeStop, makeWorkload, makeSnapshot, makeSpec, runId, sha } from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { renderReason } from "#libs/wording";
import { findPlaced } from "#test/world/transition";
import { describe, expect, test } from "vitest";

import { nameEntryStop } from "./recorded/cluster-entries.ts";
import { collectStops, coversSubject, holdsWholeRun, type Subject } from "./stops.ts";

const request: VerbRequest = {
  id: "v1",
  verb: "stop",
  scope: "all",
  strength: "move",
  who: "ana",
  why: "5xx",
  at: "2026-11-19T12:10:00Z",
};
const resume = { at: "", who: "ana", why: "" };
const withStops = (stops: { readonly kubectl: boolean; readonly recorded: Record<string, string> }) =>
  makeCluster("one", [makeWorkload("shop/a")], { facts: { stops } });
const quiet = withStops({ kubectl: false, recorded: {} });
const s1 = makeStop({ id: "s1", scope: "namespace/shop" });

/** A hold with the id and the scope of another stop. */
const heldAs = (id: string, scope: StopScope) => ({ id, scope, strength: "propose" }) as const;
const finding = {
  code: "MR2001",
  severity: "error",
  file: "campaigns/up.yml",
  line: 1,
  column: 1,
  message: "m",
} as const;
const head = { ...makeSpec(sha("head"), 100), unread: [{ name: "up", file: "campaigns/up.yml", finding }] };
const unreadMain = { head, specs: new Map([[head.commit, head]]) };

const entry = printRecordedStop({
  id: "x1",
  scope: "namespace/shop",
  strength: "move",
  at: "2026-11-19T12:00:00Z",
  who: "ben",
  why: "",
});

describe("stops in force, from all three places", () => {
  const cases: readonly {
    readonly name: string;
    readonly ledger?: ReturnType<typeof makeLedger>;
    readonly requests?: readonly VerbRequest[];
    readonly cluster?: typeof quiet;
    readonly main?: Parameters<typeof collectMoveStops>[3];
    readonly want: readonly string[];
  }[] = [
    { name: "7.2 a stop in the ledger", ledger: makeLedger({ stops: { s1 } }), want: ["s1 namespace/shop ledger"] },
    {
      name: "7.2 not a stop that was ended in the ledger",
      ledger: makeLedger({ stops: { s1: { ...s1, resume } } }),
      want: [],
    },
    { name: "7.2 a verb, as soon as it is requested", requests: [request], want: ["v1 all control"] },
    {
      name: "7.2 a recorded verb once, from the ledger",
      requests: [request],
      ledger: makeLedger({
        requests: { v1: { at: "", answer: "" } },
        stops: { v1: makeStop({ id: "v1", scope: "all" }) },
      }),
      want: ["v1 all ledger"],
    },
    {
      name: "7.2 a stop whose resume is only requested",
      requests: [{ ...request, verb: "resume", scope: "namespace/shop" }],
      ledger: makeLedger({ stops: { s1 } }),
      want: ["s1 namespace/shop ledger"],
    },
    {
      name: "7.3 the ConfigMap made with kubectl, whatever its content",
      cluster: withStops({ kubectl: true, recorded: {} }),
      want: ["kubectl cluster/one cluster"],
    },
    {
      name: "7.3 the stop of an unreadable campaign once, from main",
      main: unreadMain,
      ledger: makeLedger({ stops: { "unread-up": makeStop({ ...heldAs("unread-up", "campaign/up") }) } }),
      want: ["unread-up campaign/up main"],
    },
    {
      name: "7.3 an entry that only the cluster has",
      cluster: withStops({ kubectl: false, recorded: { x1: "{}" } }),
      want: [`${nameEntryStop("one", "x1")} cluster/one cluster`],
    },
    {
      name: "7.3 not an entry whose end is in the ledger",
      cluster: withStops({ kubectl: false, recorded: { s1: "{}" } }),
      ledger: makeLedger({ stops: { s1: { ...s1, resume } } }),
      want: [],
    },
    {
      name: "7.3 a readable entry, and a copy of it under another id, which stops the cluster",
      cluster: withStops({ kubectl: false, recorded: { x1: entry, other: entry } }),
      want: [
        `${nameEntryStop("one", "x1")} namespace/shop cluster`,
        `${nameEntryStop("one", "other")} cluster/one cluster`,
      ],
    },
    {
      name: "2.4 a rollback stops what goes forward",
      requests: [{ ...request, verb: "rollback" }],
      want: ["v1 all control"],
    },
    {
      name: "7.1 not a stop of strength propose",
      ledger: makeLedger({ stops: { s1: { ...s1, strength: "propose" } } }),
      want: [],
    },
  ];
  test.each(cases)("$name", ({ ledger, requests = [], cluster = quiet, main, want }) => {
    const stops = collectMoveStops(ledger, requests, [cluster], main);
    expect(stops.map(({ id, scope, from }) => `${id} ${scope} ${from}`)).toEqual(want);
  });
});

describe("7.2 an unrecorded verb has all fields of its later record", () => {
  const ledger = openRunLedger();
  const run = { scope: `run/${runId}`, verb: "rollback" } as const;
  const { id, scope, strength, who, why, at } = request;
  const plain = { id, scope, strength, who, why, at, from: "control" };
  const cases: readonly { readonly name: string; readonly asked: Partial<VerbRequest>; readonly want: object }[] = [
    { name: "a pause", asked: {}, want: plain },
    { name: "a pause with a time", asked: { until: "2026-11-20" }, want: { ...plain, until: "2026-11-20" } },
    {
      name: "2.4 a rollback, to the commit before its run, with strength move however it was requested",
      asked: { ...run, strength: "propose" },
      want: { ...plain, scope: run.scope, revertTo: sha("base") },
    },
    {
      name: "2.4 a rollback --now to a named commit",
      asked: { ...run, revertTo: sha("older"), now: true },
      want: { ...plain, scope: run.scope, revertTo: sha("older"), now: true },
    },
  ];
  test.each(cases)("$name", ({ asked, want }) => {
    expect(collectStops(ledger, [{ ...request, ...asked }], [], undefined)).toEqual([want]);
  });
});

describe("7.1 the subjects that a stop covers", () => {
  const shop = { cluster: "one", run: "r1", campaign: "up", namespace: "shop", bucket: "production" };
  const cases: readonly { readonly scope: StopScope; readonly subject?: Partial<Subject>; readonly want: boolean }[] = [
    { scope: "all", want: true },
    { scope: "cluster/one", want: true },
    { scope: "run/r1", want: true },
    { scope: "campaign/up", want: true },
    { scope: "campaign/up", subject: { campaign: undefined }, want: false },
    { scope: "campaign/other", want: false },
    { scope: "namespace/shop", want: true },
    { scope: "bucket/production", want: true },
    { scope: "bucket/shop", want: false },
    { scope: "run/r2", want: false },
  ];
  test.each(cases)("$scope, $subject: $want", ({ scope, subject, want }) => {
    expect(coversSubject({ id: "s", scope, at: "" }, { ...shop, ...subject })).toBe(want);
  });
});

test.each(["all", "cluster/one", `run/${runId}`, "namespace/shop", "bucket/production"] as const)(
  "4.1 nothing is handed out to what a stop on %s covers, and it is named with the command that fixes it",
  (scope) => {
    const ledger = openRunLedger({ stops: { s: makeStop({ id: "s", scope }) } });
    const [decision] = decide(makeSnapshot({ ledger, clusters: new Map([["one", quiet]]) }));
    expect(decision?.kind === "wait" ? renderReason(decision.reason) : decision).toMatchObject({
      code: "Stopped",
      owner: "ana",
      command: expect.stringContaining(`meshroll resume ${scope}`) as string,
    });
  },
);

test("8.2 a verb's stop is recorded with its id, its actor and main's head", () => {
  const [decision] = decide(makeSnapshot({ requests: [request], clusters: new Map([["one", quiet]]) }));
  if (decision?.kind !== "placeStop") throw new Error("a stop is placed");
  expect(findPlaced(decision)).toMatchObject({ id: "v1", scope: "all", who: "ana", cause: "verb" });
  expect([decision.change.main, Object.keys(decision.change.requests ?? {})]).toEqual([sha("head"), ["v1"]]);
});

test.each([
  ["all", true],
  ["run/abcabcabcabc", true],
  ["bucket/shop-.*", true],
  ["run/", false],
  ["everything", false],
  ["pod/a", false],
])("7.1 %s as a scope: %s", (text, want) => {
  expect(isStopScope(text)).toBe(want);
});

describe("7.1 stops that hold a whole run", () => {
  const own = { run: runId, campaign: "istio-1-25" };
  const pause = { strength: "move" } as const;
  const cases = [
    { name: "a pause of all", stop: { ...pause, scope: "all" }, want: true },
    { name: "a pause of its campaign", stop: { ...pause, scope: "campaign/istio-1-25" }, want: true },
    { name: "a hold of all", stop: { strength: "propose", scope: "all" }, want: false },
    { name: "a pause of one cluster", stop: { ...pause, scope: "cluster/one" }, want: false },
  ] as const;
  test.each(cases)("$name: $want", ({ stop, want }) => expect(holdsWholeRun(stop, own)).toBe(want));
});
