import { makeCluster, makeMigrated, makeSnapshot, makeWorkload, noon, runId } from "#test/world/build";
import { openRunLedger } from "#test/world/executor";
import { requireHead } from "#test/world/judge-one";
import { expect, test } from "vitest";

import { evaluateFleet } from "../../index/evaluate-fleet.ts";
import { findLastWriteAge } from "./last-writes.ts";

const written = { ...makeMigrated(makeWorkload("shop/a"), "new", runId), times: { written: noon - 60_000 } };

test.each([
  { name: "the mark of the run and the time of our write say it", change: {}, want: 59_000 },
  { name: "a run in another hand says nothing", change: { marksBy: { "meshroll.dev/run": "helm" } }, want: undefined },
])("when a run wrote last: $name", ({ change, want }) => {
  const clusters = new Map([["one", makeCluster("one", [{ ...written, ...change }], { serverNow: noon })]]);
  const snapshot = makeSnapshot({ clusters, ledger: openRunLedger() });
  expect(findLastWriteAge(evaluateFleet(snapshot, requireHead(snapshot.specs)), clusters, runId)).toBe(want);
});
