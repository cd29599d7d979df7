import { expect, test } from "vitest";

import type { FailedMove } from "../../read/read-runs.ts";
import { findFailed, printFailed } from "./failed.ts";
import type { ExplainSource } from "./source.ts";

const id = "0123456789ab";
const at = "2026-11-19T12:00:00.000Z";
const mark: FailedMove = {
  revision: "new",
  reason: "ReadinessTimeout",
  at,
  run: { id, attempt: 1 },
  isNamespace: false,
};

function find(failed: Partial<FailedMove>, retried: Readonly<Record<string, number>> = {}) {
  const source = { retried: { [id]: retried } } as unknown as ExplainSource;
  const workload = { cluster: "one", workload: "Deployment/web", pods: 1, revisions: { old: 1 } };
  const runs = { workloads: [{ ...workload, failed: { ...mark, ...failed } }] };
  return findFailed(source, { namespace: "shop", revision: "new" }, runs);
}

const cases: readonly {
  readonly name: string;
  readonly failed?: Partial<FailedMove>;
  readonly retried?: Readonly<Record<string, number>>;
  readonly want: number;
}[] = [
  { name: "the revision is main's", want: 1 },
  { name: "main has another revision now", failed: { revision: "older" }, want: 0 },
  { name: "a retry was requested", retried: { "one:shop/Deployment/web": 1 }, want: 0 },
  {
    name: "the retry failed as well",
    failed: { run: { id, attempt: 2 } },
    retried: { "one:shop/Deployment/web": 1 },
    want: 1,
  },
  {
    name: "a retry of the whole namespace was requested",
    failed: { isNamespace: true },
    retried: { "one:shop/*": 1 },
    want: 0,
  },
];

test.each(cases)("failures of a namespace: $name", ({ failed = {}, retried = {}, want }) => {
  expect(find(failed, retried)?.items.length ?? 0).toBe(want);
});

test("an annotation without a run is shown without commands that need one", () => {
  const { run: _, ...noRun } = mark;
  const runs = { workloads: [{ cluster: "one", workload: "Deployment/web", pods: 1, revisions: {}, failed: noRun }] };
  const found = findFailed({} as ExplainSource, { namespace: "shop", revision: "new" }, runs);
  expect(printFailed(found, (iso) => iso)).toEqual([`  failed    one Deployment/web  ✖ ReadinessTimeout since ${at}`]);
});

test("a namespace that failed as a whole is retried as a whole, by one short command", () => {
  const failed = { ...mark, isNamespace: true };
  const names = ["DaemonSet/agent", "Deployment/app", "Deployment/worker", "StatefulSet/cache"];
  const workloads = names.map((workload) => ({ cluster: "one", workload, pods: 1, revisions: {}, failed }));
  const found = findFailed({} as ExplainSource, { namespace: "shop", revision: "new" }, { workloads });
  expect(found?.ways.map(({ command }) => command)).toContain(`meshroll retry run/${id} 'one:shop/*' --reason "…"`);
});
