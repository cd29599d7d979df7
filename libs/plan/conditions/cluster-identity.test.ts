import { makeLedger, makeRun, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { isOtherCluster } from "./cluster-identity.ts";

const opened = { openedAt: "2026-11-19T12:00:00.000Z", unhealthyBefore: [] };

function ledgerOf(change: Parameters<typeof makeRun>[2]) {
  const run = makeRun(sha("head"), sha("base"), change);
  return makeLedger({ runs: { [run.id]: run } });
}

const cases = [
  {
    name: "the cluster in which the open run was begun",
    ledger: ledgerOf({ clusters: { one: { ...opened, uid: "u" } } }),
    want: false,
  },
  {
    name: "a cluster with the same name and another UID",
    ledger: ledgerOf({ clusters: { one: { ...opened, uid: "v" } } }),
    want: true,
  },
  {
    name: "the open run was begun in cluster two",
    ledger: ledgerOf({ clusters: { two: { ...opened, uid: "v" } } }),
    want: false,
  },
  {
    name: "the run with another UID is over",
    ledger: ledgerOf({ state: "done", clusters: { one: { ...opened, uid: "v" } } }),
    want: false,
  },
  {
    name: "the run has no UID, because its record is old",
    ledger: ledgerOf({ clusters: { one: opened } }),
    want: false,
  },
  { name: "there is no ledger", ledger: undefined, want: false },
] as const;
for (const { name, ledger, want } of cases) {
  test(`9.1 C20 ${name}: ${want ? "not ours to write to" : "ours"}`, () => {
    expect(isOtherCluster({ cluster: "one", uid: "u" }, ledger)).toBe(want);
  });
}

test("9.1 a cluster whose UID cannot be seen is not known to be ours", () => {
  const ledger = ledgerOf({ clusters: { one: { ...opened, uid: "u" } } });
  expect(isOtherCluster({ cluster: "one", uid: "" }, ledger)).toBe(true);
});
