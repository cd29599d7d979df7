import { makeWorkload, type WorkloadSketch } from "#fakes/fleet";
import { noWorkloads, type JudgedWorkload } from "#libs/plan";
import { makeRun, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { reportAgain } from "./report-again.ts";

const now = 1_795_000_000_000;
/** The API server's clock is not ours. */
const serverNow = now + 3_600_000;
const run = "abcdefabcdef";
const iso = (ms: number): string => new Date(ms).toISOString();

interface Case {
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly workload?: WorkloadSketch;
  readonly state?: Partial<JudgedWorkload>;
  /** When the run that moved it ended, epoch ms by the planner's clock; no open run wants it then. */
  readonly endedAt?: number;
  readonly want: readonly string[];
}

const moved = { "meshroll.dev/run": `${run} new` };
const written = { written: serverNow - 5000 };
const previous = { "meshroll.dev/previous": JSON.stringify({ template: { labels: { "istio.io/rev": "old" } } }) };
const failed = (ms: number, cause = "") => ({
  ...moved,
  "meshroll.dev/failed": `new ReadinessTimeout ${iso(ms)}${cause}`,
});
const skipped = { kind: "skipped", reason: { code: "UnhealthyBefore" } } as const;

const cases: readonly Case[] = [
  { name: "moving since a moment ago", workload: { times: written }, want: ["workloadMoved"] },
  { name: "moving, without a time of the API server", want: [] },
  {
    name: "moving for longer than the stream remembers ids",
    workload: { times: { written: serverNow - 102_000 } },
    want: [],
  },
  {
    name: "migrated a moment ago",
    workload: { times: { ...written, rolledOut: serverNow - 2000, status: serverNow - 1000 } },
    state: { state: { kind: "migrated" } },
    want: ["workloadMoved", "workloadMigrated"],
  },
  {
    name: "moved long ago and migrated a moment ago",
    workload: { times: { written: serverNow - 900_000, status: serverNow - 1000 } },
    state: { state: { kind: "migrated" } },
    want: ["workloadMigrated"],
  },
  {
    name: "migrated a moment ago, as the last of its run",
    workload: { times: { written: serverNow - 900_000, status: serverNow - 1000 } },
    state: { state: { kind: "migrated" } },
    endedAt: now - 500,
    want: ["workloadMigrated"],
  },
  {
    name: "deployed by its owner a moment ago, long after its run",
    workload: { times: { written: serverNow - 900_000, status: serverNow - 1000 } },
    state: { state: { kind: "migrated" } },
    endedAt: now - 600_000,
    want: [],
  },
  {
    name: "migrated, but moved for another revision",
    annotations: { "meshroll.dev/run": `${run} old` },
    workload: { times: written },
    state: { state: { kind: "migrated" } },
    want: [],
  },
  {
    name: "migrated without a write of meshroll",
    annotations: {},
    workload: { times: written },
    state: { state: { kind: "migrated" } },
    want: [],
  },
  {
    name: "failed a moment ago, and put back",
    annotations: failed(now - 4000),
    state: { state: skipped },
    want: ["workloadFailed ReadinessTimeout reverted"],
  },
  {
    name: "failed a moment ago, with what its pods said",
    annotations: failed(now - 4000, ' {"code":"NotReady","container":"app"}'),
    state: { state: skipped },
    want: ["workloadFailed ReadinessTimeout: app is not ready reverted"],
  },
  {
    name: "failed a moment ago, and not put back",
    annotations: { ...failed(now - 4000), ...previous },
    workload: { labels: { "istio.io/rev": "new" } },
    state: { state: skipped },
    want: ["workloadFailed ReadinessTimeout"],
  },
  {
    name: "failed long ago",
    annotations: failed(now - 900_000),
    state: { state: skipped },
    want: [],
  },
];

test.each(cases)("$name: $want", ({ annotations = moved, workload = {}, state = {}, endedAt, want }) => {
  const told: string[] = [];
  const object = makeWorkload({ ...workload, annotations });
  const each = {
    cluster: "one",
    key: "shop/Deployment/cart",
    desired: "new",
    ...(endedAt === undefined ? { run: { id: run } } : {}),
    rolling: false,
    workload: object,
    state: { kind: "migrating", reason: "it rolls" },
    ...state,
  } as unknown as JudgedWorkload;
  const judged = { ...noWorkloads, list: () => [each] };
  reportAgain(
    (name, _each, id, failure) => {
      expect(id).toBe(run);
      const words = failure === undefined ? [name] : [name, failure.reason, ...(failure.reverted ? ["reverted"] : [])];
      told.push(words.join(" "));
    },
    judged,
    {
      serverNow,
      now,
      runs: endedAt === undefined ? {} : { [run]: makeRun(sha("c"), sha("b"), { endedAt: iso(endedAt) }) },
    },
  );
  expect(told).toEqual(want);
});
