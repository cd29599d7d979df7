import { readAnnotations } from "#libs/fleet";
import { makeCluster } from "#test/world/build";
import { limit, reconcile, relabelled, restarted, startMemory, stuck, tooLate } from "#test/world/remediation";
import type { ExecutorViewChange } from "#test/world/executor";
import { renderRemediation } from "#libs/wording";
import { describe, expect, test } from "vitest";

import { addCause, lacksCause, type Remediation } from "./remediation.ts";

const cause = { code: "NotReady", container: "app" } as const;

/** What fails at the second reconcile, after its time. */
function fail(change: ExecutorViewChange): readonly Remediation[] {
  const memory = startMemory();
  reconcile(change, memory, 0);
  return reconcile(change, memory, limit);
}

function readFailed({ write: { change } }: Remediation) {
  const annotations = { "meshroll.dev/failed": change.annotations?.["meshroll.dev/failed"] ?? "" };
  return readAnnotations({ annotations })?.failed;
}

const unit = relabelled({}, [restarted("shop/a", { available: 1, total: 2 })]);

interface Case {
  readonly change: ExecutorViewChange;
  readonly want: { readonly object: string; readonly cause: object; readonly message: string };
}

const cases: Readonly<Record<string, Case>> = {
  "on the workload": {
    change: { workloads: [stuck] },
    want: { object: "workload", cause, message: "ReadinessTimeout: app is not ready" },
  },
  "on its namespace, with the workload whose pods said it": {
    change: { cluster: unit },
    want: {
      object: "namespace",
      cause: { ...cause, workload: "Deployment/a" },
      message: "ReadinessTimeout of shop/Deployment/a: app is not ready",
    },
  },
  "also where it is not put back": {
    change: {
      cluster: makeCluster("one", [stuck], { facts: { revisions: [{ name: "new", webhook: true, istiod: "ready" }] } }),
    },
    want: { object: "workload", cause, message: "ReadinessTimeout: app is not ready" },
  },
};

describe("what the pods said is recorded with the failure", () => {
  test.each(Object.entries(cases))("%s", (_, { change, want }) => {
    const [planned] = fail(change);
    if (planned === undefined) throw new Error("nothing failed");
    expect([lacksCause(planned), readFailed(planned)?.cause]).toEqual([true, undefined]);
    const told = addCause(planned, cause);
    expect(lacksCause(told)).toBe(false);
    expect([told.write.object, readFailed(told)?.cause, renderRemediation(told.reason).message]).toEqual([
      want.object,
      want.cause,
      want.message,
    ]);
    const { cause: __, ...failure } = readFailed(told) ?? {};
    expect(failure).toEqual(readFailed(planned));
    const { annotations, ...rest } = told.write.change;
    const { annotations: before, ...restBefore } = planned.write.change;
    expect(rest).toEqual(restBefore);
    expect(Object.keys(annotations ?? {}).toSorted()).toEqual(Object.keys(before ?? {}).toSorted());
  });

  test("a write that records no failure has no cause", () => {
    const others = reconcile({ workloads: [tooLate] }, startMemory(), 0);
    for (const each of others) expect([lacksCause(each), addCause(each, cause)]).toEqual([false, each]);
    expect(others.map(({ kind }) => kind)).toEqual(["recordArrival"]);
  });

  test("an undo that waited keeps it", () => {
    const mark = `new ReadinessTimeout 2026-11-19T12:00:00.000Z RevisionMissing old ${JSON.stringify(cause)}`;
    const owed = { ...stuck, annotations: { ...stuck.annotations, "meshroll.dev/failed": mark } };
    const [undo] = reconcile({ workloads: [owed] }, startMemory(), 0);
    if (undo === undefined) throw new Error("nothing is put back");
    expect([undo.kind, readFailed(undo)]).toEqual([
      "finishUndo",
      { revision: "new", reason: "ReadinessTimeout", at: "2026-11-19T12:00:00.000Z", cause },
    ]);
  });
});
