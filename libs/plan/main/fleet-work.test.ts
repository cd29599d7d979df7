import { describe, expect, it } from "vitest";

import { makeCluster, makeLedger, makeNamespace, makeSnapshot, sha } from "#test/world/build";

import { compileSpec } from "./compile-spec.ts";
import { decide } from "../decide.ts";
import { findFleetWork, refuseFleetWork } from "./fleet-work.ts";
import type { Spec } from "../records/snapshot.ts";

/** Patterns that every name meets, within the limit of one name. */
function makeFile(patterns: number): string {
  const bucket = (index: number): string => `"[a-z]*(x${index}|y${index})+[a-z]*": { old: 100 }\n`;
  return `production: { old: 100 }\n${Array.from({ length: patterns }, (_, index) => bucket(index)).join("")}`;
}

function compile(commit: string, text: string): Spec {
  const compiled = compileSpec(sha(commit), text, undefined);
  if (!compiled.ok) throw new Error(compiled.findings[0]?.message);
  return compiled.spec;
}

const name = (index: number): string => `team-${String(index).padStart(5, "0")}-${"a".repeat(50)}`;

function makeClusters(count: number, of = name) {
  const namespaces = new Map(
    Array.from({ length: count }, (_, index) => [of(index), makeNamespace(of(index), [])] as const),
  );
  return new Map([["one", { ...makeCluster("one", []), namespaces }]]);
}

describe("matching work of a fleet, counted without matching", () => {
  const cases = [
    {
      what: "an ordinary file over 20,000 names",
      text: "production: { old: 100 }\n.*-staging: { old: 100 }\n",
      names: 20_000,
      want: false,
    },
    { what: "ninety wild patterns over a hundred names", text: makeFile(90), names: 100, want: false },
    { what: "ninety wild patterns over 5,000 names", text: makeFile(90), names: 5_000, want: true },
    {
      what: "ninety wild patterns that only names with another beginning meet",
      text: makeFile(90).replaceAll('"[a-z]*', '"shop-[a-z]*'),
      names: 5_000,
      want: false,
    },
  ];
  it.each(cases)("$what", ({ text, names, want }) => {
    const finding = findFleetWork(compile("m", text), makeClusters(names));
    const said = /^its patterns make \d+ steps of regular expressions with 5000 namespaces; \d+ is the most$/;
    expect(said.test(finding?.message ?? "")).toBe(want);
    expect(finding?.code).toBe(want ? "MR1015" : undefined);
  });
});

it("a commit of main whose patterns are too much work for the fleet holds all, by name, and matches no name", () => {
  const old = compile("old", "production: { old: 100 }\n");
  const wild = compile("wild", makeFile(90));
  const matched: string[] = [];
  const watched = { ...wild, resolver: watch(wild.resolver, matched) };
  const clusters = makeClusters(5_000);
  const commit = { sha: sha("wild"), author: "mallory", subject: "x", at: 0 };
  const snapshot = makeSnapshot({ clusters, ledger: makeLedger({ main: sha("old"), judged: sha("old") }) });
  const specs = new Map([
    [sha("old"), old],
    [sha("wild"), watched],
  ]);
  const main = { ...snapshot.main, head: sha("wild"), contained: true, points: [{ commit, spec: watched }] };
  const decisions = decide({ ...snapshot, ...refuseFleetWork(main, specs, clusters) });
  expect(decisions).toMatchObject([{ kind: "wait", scope: "all", reason: { code: "MainUnparsable" } }]);
  expect(JSON.stringify(decisions)).toContain("steps of regular expressions with 5000 namespaces");
  expect(matched).toEqual([]);
});

function watch(resolver: Spec["resolver"], matched: string[]): Spec["resolver"] {
  return {
    mostSteps: () => resolver.mostSteps(),
    countSteps: (each) => resolver.countSteps(each),
    position: (each, bucket) => resolver.position(each, bucket),
    matches: (each) => (matched.push(each), resolver.matches(each)),
    resolve: (each) => (matched.push(each), resolver.resolve(each)),
  };
}
