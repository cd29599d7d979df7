import { describe, expect, it } from "vitest";

import { filterHistory, type HistoryFilter } from "./filter-history.ts";
import type { LedgerLine } from "./transition-line.ts";

const makeLine = (hour: number, sentence: string, actor: string, about: readonly string[]): LedgerLine => ({
  commit: String(hour).padStart(40, "0"),
  at: new Date(Date.UTC(2026, 10, 19, hour)).toISOString(),
  clock: "planner",
  sentence,
  about,
  actor,
});

const lines = [
  makeLine(12, "stop s1 on all: us-east-1 INCIDENT (ana)", "ana", ["all"]),
  makeLine(11, "run 4c8b717cd4df: wave opened in east", "meshroll", ["run/4c8b717cd4df", "campaign/c"]),
  makeLine(10, "run 4c8b717cd4df started: raise (Ben)", "Ben", ["run/4c8b717cd4df", "campaign/c"]),
];
const hour = (at: number): number => Date.UTC(2026, 10, 19, at);

const cases: readonly { name: string; filter: Partial<HistoryFilter>; want: readonly number[] }[] = [
  { name: "all without a filter", filter: {}, want: [12, 11, 10] },
  { name: "what is about a scope", filter: { scope: "run/4c8b717cd4df" }, want: [11, 10] },
  { name: "what an actor did, in any letters", filter: { actor: "ben" }, want: [10] },
  { name: "not the actor whose name only begins so", filter: { actor: "be" }, want: [] },
  { name: "from a moment on, which is included", filter: { since: hour(11) }, want: [12, 11] },
  { name: "up to a moment, which is included", filter: { until: hour(11) }, want: [11, 10] },
  { name: "between two moments", filter: { since: hour(11), until: hour(11) }, want: [11] },
  { name: "words of the sentence, in any letters", filter: { text: "incident (ANA" }, want: [12] },
  { name: "no words of the other fields", filter: { text: "campaign/c" }, want: [] },
  { name: "all of several filters", filter: { scope: "campaign/c", text: "wave" }, want: [11] },
];

describe("the history's filter", () => {
  it.each(cases)("finds $name", ({ filter, want }) => {
    const { entries } = filterHistory({ lines, isCut: false }, { limit: 10, ...filter });
    expect(entries.map(({ commit }) => Number(commit))).toEqual(want);
  });

  it("counts the older ones that it leaves out", () => {
    const { entries, older, isCut } = filterHistory({ lines, isCut: true }, { limit: 1, scope: "campaign/c" });
    expect([entries.length, older, isCut]).toEqual([1, 1, true]);
  });
});
