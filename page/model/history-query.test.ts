import { describe, expect, it } from "vitest";

import {
  explainChoice,
  findSince,
  type HistoryChoice,
  printHistoryCommand,
  printHistoryQuery,
  raiseLimit,
  readHistoryChoice,
} from "./history-query.ts";

const none: HistoryChoice = { subject: "", actor: "", since: "", text: "", limit: 100 };

describe("the history's choices in the address", () => {
  it.each([
    { name: "nothing is everything, the newest 100", address: {}, want: {} },
    { name: "a bare run id is a run's", address: { subject: "4c8b717cd4df" }, want: { subject: "run/4c8b717cd4df" } },
    {
      name: "a bare name is a campaign's",
      address: { subject: " istio-1-25 " },
      want: { subject: "campaign/istio-1-25" },
    },
    { name: "a scope is itself", address: { subject: "cluster/east" }, want: { subject: "cluster/east" } },
    { name: "all is a scope", address: { subject: "all" }, want: { subject: "all" } },
    { name: "what is no scope is left to the api's refusal", address: { subject: "A B" }, want: { subject: "A B" } },
    { name: "an unknown period is no period", address: { since: "1y" }, want: {} },
    { name: "a known period is one", address: { since: "7d" }, want: { since: "7d" } },
    { name: "the limit is at most the api's", address: { limit: "5000" }, want: { limit: 1000 } },
    { name: "words are cut to what the api takes", address: { q: "n".repeat(253) }, want: { text: "n".repeat(200) } },
    { name: "a limit that is no number is the usual one", address: { limit: "-1" }, want: {} },
  ])("$name", ({ address, want }) => {
    const choices = new Map(Object.entries(address));
    expect(readHistoryChoice((name) => choices.get(name) ?? "")).toEqual({ ...none, ...want });
  });

  it.each([
    { subject: "", isFault: false },
    { subject: "run/4c8b717cd4df", isFault: false },
    { subject: "all", isFault: false },
    { subject: "run/nothing", isFault: true },
    { subject: "javascript:alert(1)", isFault: true },
  ])("a subject that is no scope is explained: '$subject'", ({ subject, isFault }) => {
    expect(explainChoice({ subject }) !== undefined).toBe(isFault);
  });

  it("more entries are 200 more, and 1,000 at most", () => {
    expect([raiseLimit({ limit: 100 }), raiseLimit({ limit: 900 })]).toEqual([300, 1000]);
  });
});

describe("the history's query and command", () => {
  it.each([
    { name: "everything", choice: {}, query: "limit=100", command: "meshroll history -n 100" },
    {
      name: "a run",
      choice: { subject: "run/4c8b717cd4df", limit: 300 },
      query: "subject=run%2F4c8b717cd4df&limit=300",
      command: "meshroll history run/4c8b717cd4df -n 300",
    },
    {
      name: "a person and words, which a shell must not obey",
      choice: { actor: "Ana B", text: "it's $HOME & more" },
      query: "actor=Ana%20B&q=it's%20%24HOME%20%26%20more&limit=100",
      command: "meshroll history --actor 'Ana B' --grep 'it'\\''s $HOME & more' -n 100",
    },
    {
      name: "a period",
      choice: { since: "24h" },
      since: "2026-11-18T12:00:00.000Z",
      query: "since=2026-11-18T12%3A00%3A00.000Z&limit=100",
      command: "meshroll history --since 24h -n 100",
    },
  ])("of $name", ({ choice, since, query, command }) => {
    const whole = { ...none, ...choice };
    expect([printHistoryQuery(whole, since), printHistoryCommand(whole)]).toEqual([query, command]);
  });
});

describe("the beginning of a period", () => {
  const now = Date.UTC(2026, 10, 19, 12, 7);
  it.each([
    { since: "", want: undefined },
    { since: "24h", want: Date.UTC(2026, 10, 18, 12, 0) },
    { since: "7d", want: Date.UTC(2026, 10, 12, 10, 30) },
  ])("of '$since' is at a step of the clock, not later than asked", ({ since, want }) => {
    expect(findSince({ since }, now)).toBe(want);
  });
});
