import { describe, expect, test } from "vitest";

import { countAllowedVms, countVms, findUsualRevision, judgeVms } from "./count-vms.ts";
import type { Vm, VmReport } from "../vm-facts.ts";

const group = { cluster: "one", namespace: "db", name: "ledger" };
const now = Date.parse("2026-11-28T12:00:00Z");

function makeVm(name: string, revision: string | null, change: Partial<VmReport> & { readonly gone?: true } = {}): Vm {
  const { gone, ...said } = change;
  const report: VmReport = {
    at: "2026-11-28T11:59:30Z",
    agent: "0.1.0",
    address: name,
    tag: revision,
    revision,
    attempted: revision,
    inProgress: false,
    ready: revision !== null,
    code: "UpToDate",
    message: "",
    ...said,
  };
  const tag = said.tag === undefined ? revision : said.tag;
  return {
    group,
    name,
    report,
    ...(tag === null ? {} : { tag }),
    ...(gone === true ? { stopped: true } : { reportAgeMs: 0 }),
  };
}

const all = [
  makeVm("a", "new"),
  makeVm("b", "old"),
  makeVm("c", "old", { tag: "new" }),
  makeVm("d", "old", { tag: "new", code: "Quarantined" }),
  makeVm("e", "new", { ready: false }),
  makeVm("f", null),
  makeVm("g", "old", { gone: true }),
];

describe("countVms", () => {
  const entries = new Map(all.map(({ name }) => [name, true]));
  const judged = judgeVms(all, { revision: "new", entries, now, heardForMs: 600_000 });

  test("a VM is counted once, by what is known of it; those that are absent are no replicas", () => {
    expect(judged.map(({ state }) => state)).toEqual([
      "ready",
      "outdated",
      "upgrading",
      "failed",
      "unhealthy",
      "unhealthy",
      "absent",
    ]);
    expect(countVms(judged, "new", { percent: 50 })).toEqual({
      replicas: 6,
      total: 6,
      updated: 2,
      available: 2,
      pods: [
        { count: 1, ready: 0 },
        { revision: "new", count: 2, ready: 1 },
        { revision: "old", count: 3, ready: 1 },
      ],
      vms: { allowed: 3, upgrading: 1, failed: 1, unknown: 0, unhealthy: 2, outdated: 1, absent: 1 },
    });
  });
});

describe("countAllowedVms", () => {
  test.each([
    ["a percentage is rounded down", { percent: 10 }, 39, 3],
    ["one always may be", { percent: 10 }, 5, 1],
    ["a count is as it is", 4, 2, 4],
  ] as const)("%s", (_, share, vms, want) => {
    expect(countAllowedVms(share, vms)).toBe(want);
  });
});

describe("findUsualRevision", () => {
  test.each([
    ["what most run", [makeVm("a", "old"), makeVm("b", "new"), makeVm("c", "old")], "old"],
    ["of as many the first by name", [makeVm("a", "b"), makeVm("b", "a")], "a"],
    ["not what stopped ones ran", [makeVm("a", "old", { gone: true }), makeVm("b", "new")], "new"],
    ["nothing where none says one", [makeVm("a", null)], undefined],
  ] as const)("%s", (_, vms, want) => {
    expect(findUsualRevision(vms)).toBe(want);
  });
});
