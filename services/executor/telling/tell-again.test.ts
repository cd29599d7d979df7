import { makeWorkload, type WorkloadSketch } from "#fakes/fleet";
import { nobody, type WorkloadStanding } from "#libs/plan";
import { expect, test } from "vitest";

import { tellAgain } from "./tell-again.ts";

const now = 1_795_000_000_000;
/** The API server's clock is not ours. */
const serverNow = now + 3_600_000;
const run = "abcdefabcdef";
const iso = (ms: number): string => new Date(ms).toISOString();

interface Case {
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly workload?: WorkloadSketch;
  readonly standing?: Partial<WorkloadStanding>;
  readonly want: readonly string[];
}

const moved = { "meshroll.dev/run": `${run} new` };
const written = { written: serverNow - 5000 };
const previous = { "meshroll.dev/previous": JSON.stringify({ template: { labels: { "istio.io/rev": "old" } } }) };
const failed = (ms: number) => ({ ...moved, "meshroll.dev/failed": `new ReadinessTimeout ${iso(ms)}` });
const aside = { kind: "aside", reason: "failed" } as const;

const cases: readonly Case[] = [
  { name: "one that moves since a moment ago", workload: { times: written }, want: ["workloadMoved"] },
  { name: "one whose mark the API server dates nowhere", want: [] },
  {
    name: "one that moves for longer than the stream knows ids",
    workload: { times: { written: serverNow - 102_000 } },
    want: [],
  },
  {
    name: "one that arrived a moment ago",
    workload: { times: { ...written, rolledOut: serverNow - 2000, status: serverNow - 1000 } },
    standing: { standing: { kind: "there" } },
    want: ["workloadMoved", "workloadArrived"],
  },
  {
    name: "one that was moved long ago and arrived a moment ago",
    workload: { times: { written: serverNow - 900_000, status: serverNow - 1000 } },
    standing: { standing: { kind: "there" } },
    want: ["workloadArrived"],
  },
  {
    name: "one that is there, and was moved for another revision",
    annotations: { "meshroll.dev/run": `${run} old` },
    workload: { times: written },
    standing: { standing: { kind: "there" } },
    want: [],
  },
  {
    name: "one that is there without a write of ours",
    annotations: {},
    workload: { times: written },
    standing: { standing: { kind: "there" } },
    want: [],
  },
  {
    name: "one that failed a moment ago, and was put back",
    annotations: failed(now - 4000),
    standing: { standing: aside },
    want: ["workloadFailed ReadinessTimeout reverted"],
  },
  {
    name: "one that failed a moment ago, and was left",
    annotations: { ...failed(now - 4000), ...previous },
    workload: { labels: { "istio.io/rev": "new" } },
    standing: { standing: aside },
    want: ["workloadFailed ReadinessTimeout"],
  },
  {
    name: "one that failed long ago",
    annotations: failed(now - 900_000),
    standing: { standing: aside },
    want: [],
  },
];

test.each(cases)("$name: $want", ({ annotations = moved, workload = {}, standing = {}, want }) => {
  const told: string[] = [];
  const object = makeWorkload({ ...workload, annotations });
  const each = {
    cluster: "one",
    key: "shop/Deployment/cart",
    desired: "new",
    run: { id: run },
    rolling: false,
    workload: object,
    standing: { kind: "moving", reason: "it rolls" },
    ...standing,
  } as unknown as WorkloadStanding;
  const judged = { ...nobody, list: () => [each] };
  tellAgain(
    (name, _each, id, failure) => {
      expect(id).toBe(run);
      const words = failure === undefined ? [name] : [name, failure.reason, ...(failure.reverted ? ["reverted"] : [])];
      told.push(words.join(" "));
    },
    judged,
    { serverNow, now },
  );
  expect(told).toEqual(want);
});
