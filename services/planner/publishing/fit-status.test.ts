import { printStatus, readStatus } from "#libs/events";
import type { FleetStatus } from "#libs/plan";
import { writeText } from "#libs/wording";
import { makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { sentenceOf } from "#test/world/words";
import { fitStatus, statusLimitBytes } from "./fit-status.ts";

const usual = statusOf(makeInstant());
const long = "z".repeat(2000);

function repeat<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

const [cluster] = usual.clusters;
const [run] = usual.runs;
if (cluster === undefined || run === undefined) throw new Error("the instant has no cluster or no run");

describe("a status that is too large for the bus says so, and keeps stops and waits", () => {
  const manyProblems = repeat(400, () => ({ ...cluster, problems: repeat(10, () => long) }));
  const manySkipped = repeat(20, (at) => ({
    cluster: "one",
    workload: `w${at}`,
    code: "Overwritten",
    message: writeText("r".repeat(300)),
  }));
  const cases: readonly { name: string; change: Partial<FleetStatus>; want: RegExp | undefined }[] = [
    { name: "a status that fits is complete", change: {}, want: undefined },
    {
      name: "problems of many clusters are cut",
      change: { clusters: manyProblems },
      want: /lists of workloads and problems are cut/,
    },
    {
      name: "thousands of buckets are cut",
      change: {
        where: repeat(9000, (at) => ({ bucket: `${at}${"b".repeat(200)}`, namespaces: 1, shares: [], mixed: 0 })),
      },
      want: /buckets, campaigns, batches and problems are left out/,
    },
    {
      name: "hundreds of runs are cut",
      change: { runs: repeat(600, () => ({ ...run, skipped: manySkipped })) },
      want: /all but stops and waits/,
    },
  ];
  it.each(cases)("$name", ({ change, want }) => {
    const status = { ...usual, ...change };
    const text = fitStatus(status, printStatus);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(statusLimitBytes);
    const read = readStatus(text);
    const [first] = read?.waiting ?? [];
    const told = first?.code === "StatusTooLarge" ? sentenceOf(first) : "";
    expect(want === undefined ? told === "" : want.test(told)).toBe(true);
    expect(read?.stops).toEqual(usual.stops);
    expect(read?.waiting.slice(told === "" ? 0 : 1)).toEqual(usual.waiting);
  });
});
