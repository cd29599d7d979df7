import type { PullRequest } from "#libs/scm";
import { describe, expect, it } from "vitest";

import { orderPulls } from "./order-pulls.ts";

function makePull(number: number, author: string, fork = false): PullRequest {
  const common = { title: "", branch: `b${number}`, base: "main", headSha: "", url: "", labels: [], createdAt: 0 };
  return { ...common, number, author, state: "open", ...(fork ? { fork: true } : {}) };
}

describe("the order in which pull requests are judged", () => {
  const cases: readonly {
    readonly name: string;
    readonly pulls: readonly PullRequest[];
    readonly last?: Readonly<Record<number, number>>;
    readonly start?: number;
    readonly want: readonly number[];
  }[] = [
    { name: "none", pulls: [], want: [] },
    { name: "the oldest first", pulls: [makePull(2, "ana"), makePull(1, "ana")], want: [1, 2] },
    {
      name: "the one that was judged longest ago first",
      pulls: [makePull(1, "ana"), makePull(2, "ana"), makePull(3, "ana")],
      last: { 1: 7, 2: 5 },
      want: [3, 2, 1],
    },
    {
      name: "authors take turns, even if one has many",
      pulls: [makePull(1, "eve"), makePull(2, "eve"), makePull(3, "Eve"), makePull(4, "ana"), makePull(5, "ben")],
      want: [1, 4, 5, 2, 3],
    },
    {
      name: "another process starts elsewhere, and takes each one once",
      pulls: [makePull(1, "ana"), makePull(2, "ana"), makePull(3, "ana"), makePull(4, "ana")],
      last: { 4: 1 },
      start: 8,
      want: [3, 1, 2, 4],
    },
    {
      name: "forks after branches of the repository",
      pulls: [makePull(1, "eve", true), makePull(2, "ana"), makePull(3, "ana"), makePull(4, "ben", true)],
      want: [2, 3, 1, 4],
    },
  ];
  it.each(cases)("$name", ({ pulls, last = {}, start = 0, want }) => {
    const judged = new Map(Object.entries(last).map(([number, at]) => [Number(number), at]));
    expect(orderPulls(pulls, judged, start).map(({ number }) => number)).toEqual(want);
  });
});
