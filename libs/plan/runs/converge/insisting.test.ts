import { makeLedger, makeRun, makeWorkload, moved, sha } from "#test/world/build";
import { judgeOne } from "#test/world/judge-one";
import { describe, expect, test } from "vitest";

import type { ConvergeRecord } from "../../records/index.ts";
import { findInsisting, wasNamed } from "./insisting.ts";

const hour = 3_600_000;
const id = "c".repeat(12);

function recordOf(cause: ConvergeRecord["cause"], more: object = {}) {
  const converge = { scope: "all", cause, why: "x" } as const;
  const run = makeRun(sha("head"), sha("head"), { id, changes: [], converge, state: "done", ...more });
  return makeLedger({ runs: { [id]: run } }).runs;
}

/** Its owner set `old` again this long after our write. */
function putBack(afterMs: number | undefined) {
  const workload = moved(makeWorkload("shop/web"), "new", id);
  const times = afterMs === undefined ? {} : { times: { written: 1000, deployed: 1000 + afterMs } };
  const template = { ...workload.template, labels: { ...workload.template.labels, "istio.io/rev": "old" } };
  const manager = { name: "argocd-controller", operation: "Apply" as const };
  const object = { ...workload, template, generation: 2, observedGeneration: 2, revisionManager: manager, ...times };
  return judgeOne({ workload: object, isDrift: true });
}

describe("managers that overwrite a correction by drift: converge", () => {
  const cases = [
    { name: "an hour after the last write", cause: "deploys", afterMs: hour, want: "argocd-controller" },
    {
      name: "a day after the last write, which is another deploy of its owner",
      cause: "deploys",
      afterMs: 25 * hour,
      want: undefined,
    },
    { name: "at an unknown time", cause: "deploys", afterMs: undefined, want: "argocd-controller" },
    { name: "after a run that a person requested", cause: "verb", afterMs: hour, want: undefined },
  ] as const;
  test.each(cases)("$name: $want", ({ cause, afterMs, want }) => {
    expect(findInsisting(recordOf(cause), putBack(afterMs))?.manager).toBe(want);
  });
});

describe("a workload that a converging run named", () => {
  const at = Date.parse("2026-11-24T12:00:00.000Z");
  const key = "one:shop/Deployment/web";
  const cases = [
    { name: "for this deploy", retried: { [key]: 2 }, tries: 2, want: true },
    { name: "for an earlier deploy of its owner", retried: { [key]: 1 }, tries: 2, want: false },
    { name: "an hour ago, without a deploy since", retried: { [key]: 1 }, tries: 0, want: true },
    { name: "never", retried: {}, tries: 1, want: false },
  ];
  test.each(cases)("$name: $want", ({ retried, tries, want }) => {
    const startedAt = new Date(at - hour).toISOString();
    expect(wasNamed(recordOf("deploys", { retried, startedAt }), { [key]: tries }, at)).toBe(want);
  });

  test("not two days ago, if it differs again without an annotation of ours", () => {
    const startedAt = new Date(at - 48 * hour).toISOString();
    expect(wasNamed(recordOf("deploys", { retried: { [key]: 0 }, startedAt }), { [key]: 0 }, at)).toBe(false);
  });
});
