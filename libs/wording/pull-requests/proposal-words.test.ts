import { describe, expect, test } from "vitest";

import { writeText } from "../text.ts";
import { type MoveRisk, type MoveWords, printApplied, printReplicas, printRisks } from "./proposal-words.ts";

type Workload = MoveWords["workloads"][number];

const one: MoveRisk = { code: "OneReplica" };
const later: MoveRisk = { code: "UnhealthyBefore" };

describe("who may notice", () => {
  const workload = (name: string, change: Partial<Workload>): Workload => {
    return { cluster: "one", workload: name, isMigrated: false, risks: [], ...change };
  };
  const print = (...workloads: readonly Workload[]) => {
    const move = { namespace: "shop", from: "old", to: "new", workloads };
    return printRisks({ moves: [move] }).split("\n");
  };
  const head = (count: string) => [
    "> [!WARNING]",
    `> ${count} workloads whose restart may be noticed, or that stay on the old revision:`,
  ];

  test("each with all its risks, or why it stays skipped", () => {
    const lines = print(
      workload("a", { risks: [one, later] }),
      workload("b", { skipped: { message: writeText("opt|out") }, risks: [one] }),
      workload("calm", {}),
      workload("migrated", { isMigrated: true, risks: [one] }),
      workload("c", { skipped: { message: writeText("refused") } }),
    );
    expect(lines).toEqual([
      ...head("3"),
      "> - `one:a`: 1 replica: its restart may be noticed; unhealthy already: tried at the end",
      "> - `one:b`: stays skipped: opt\\|out",
      "> - `one:c`: stays skipped: refused",
    ]);
  });

  test("groups of VMs first, with how many, how many at once, and over which time", () => {
    const group = { code: "VmGroup", vms: 12, allowed: 1, deadline: 14 * 86_400_000 } as const;
    const lines = print(
      workload("a", { risks: [one] }),
      workload("db", { risks: [group] }),
      workload("fast", { risks: [{ ...group, deadline: 0 }] }),
    );
    expect(lines).toEqual([
      ...head("3"),
      "> - `one:db`: 12 VMs, at most 1 unavailable at once, spread over 14d",
      "> - `one:fast`: 12 VMs, at most 1 unavailable at once, as fast as that lets them",
      "> - `one:a`: 1 replica: its restart may be noticed",
    ]);
  });

  test("none: nothing is said", () => expect(print(workload("calm", {}))).toEqual([""]));

  test("twenty are named, more are counted", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => workload(`w${index}`, { risks: [one] }));
    expect(print(...many(20))).toHaveLength(22);
    const lines = print(...many(1021));
    expect([lines.slice(0, 2), lines.at(-1), lines.length]).toEqual([head("1,021"), "> - and 1,001 more", 23]);
  });
});

describe("whose owners' next deploy may be refused", () => {
  const applied = (manager: string): MoveRisk => ({ code: "AppliedByServer", manager });
  const of = (...all: readonly Partial<Workload>[]) => {
    const workloads = all.map((each, at) => ({
      cluster: "one",
      workload: `w${at}`,
      isMigrated: false,
      risks: [],
      ...each,
    }));
    return { moves: [{ namespace: "shop", from: "old", to: "new", workloads }] };
  };

  test("they are counted by their tool, and are no reason to notice a restart", () => {
    const moves = of(
      { risks: [applied("helm")] },
      { risks: [applied("helm"), one] },
      { risks: [applied("kubectl")] },
      { risks: [applied("helm")], isMigrated: true },
      { risks: [applied("helm")], skipped: { message: writeText("refused") } },
    );
    expect(
      printApplied(moves)
        .split("\n")
        .map((line) => /^> (?:- `\w+`, \d+ workloads?|.*:$|\[.*)/u.exec(line)?.[0]),
    ).toEqual([
      "> [!NOTE]",
      "> Owners' deploys by server-side apply:",
      "> - `helm`, 2 workloads",
      "> - `kubectl`, 1 workload",
    ]);
    expect(printRisks(moves)).not.toContain("helm");
    expect(printRisks(moves)).toContain("> 2 workloads whose restart may be noticed");
  });

  test("none: nothing is said", () => expect(printApplied(of({ risks: [one] }))).toBe(""));
});

describe("what restarts", () => {
  test.each([
    ["pods alone", { pods: 1200 }, "1,200 pods"],
    ["one of each", { pods: 1, vms: 1 }, "1 pod and 1 VM"],
    ["VMs alone", { pods: 0, vms: 40 }, "0 pods and 40 VMs"],
  ])("%s", (_, counts, want) => expect(printReplicas(counts)).toBe(want));
});
