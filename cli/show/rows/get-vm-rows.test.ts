import type { VmGroupRows } from "#libs/events";
import { describe, expect, test } from "vitest";

import { printSentence } from "../../terminal/sentence.ts";
import type { PublishedVms } from "../../read/bus/read-vms.ts";
import { listVms } from "./get-vm-rows.ts";

const at = "2026-11-28T12:00:00.000Z";
const now = Date.parse(at);

const rows: VmGroupRows = {
  at,
  revision: "1-25-2",
  allowed: 1,
  wait: { code: "BudgetUsed", message: "2 of its VMs are unavailable, and at most 1 may be" },
  vms: [
    {
      name: "db-3",
      state: "failed",
      tag: "1-25-2",
      revision: "1-24-5",
      address: "10.0.0.3",
      code: "ArtifactRefused",
      message: "start is not what was signed",
    },
    { name: "db-2", state: "unknown", tag: "1-24-5" },
    { name: "db-1", state: "ready", tag: "1-25-2", revision: "1-25-2", address: "10.0.0.1", code: "UpToDate" },
  ],
};
const ledger: PublishedVms = { group: { cluster: "prod", namespace: "payments", name: "ledger" }, rows };
const index: PublishedVms = {
  group: { cluster: "test", namespace: "search", name: "index" },
  rows: { at: "2026-11-28T11:00:00.000Z", allowed: 1, vms: [{ name: "ix-1", state: "outdated" }], more: 4 },
};

describe("get vms", () => {
  test("a hostile artifact is refused with a reason that stands next to its VM", () => {
    const { header, wideHeader, rows: listed } = listVms([ledger], {}, now);
    const [first] = listed;
    expect([...header, ...wideHeader]).toEqual([
      "CLUSTER",
      "GROUP",
      "NAME",
      "TAG",
      "REVISION",
      "STATE",
      "SAYS",
      "ADDRESS",
      "REASON",
    ]);
    expect([...(first?.cells ?? []), ...(first?.wide ?? [])]).toEqual([
      "prod",
      "payments/ledger",
      "db-3",
      "1-25-2",
      "1-24-5",
      "failed",
      "ArtifactRefused",
      "10.0.0.3",
      "ArtifactRefused: start is not what was signed",
    ]);
  });

  const parts = [
    { name: "all", part: {}, want: ["db-3", "db-2", "db-1", "ix-1"] },
    { name: "of one cluster", part: { cluster: "test" }, want: ["ix-1"] },
    { name: "of one namespace", part: { namespace: "payments" }, want: ["db-3", "db-2", "db-1"] },
    { name: "of one group", part: { name: "search/index" }, want: ["ix-1"] },
    { name: "of one group of a cluster", part: { name: "prod:payments/ledger" }, want: ["db-3", "db-2", "db-1"] },
    { name: "one VM", part: { name: "db-1" }, want: ["db-1"] },
    { name: "one VM of a group", part: { name: "payments/ledger/db-2" }, want: ["db-2"] },
    { name: "none there", part: { cluster: "other" }, want: [] },
  ];
  test.each(parts)("$name", ({ part, want }) => {
    expect(listVms([ledger, index], part, now).rows.map(({ cells }) => cells[2])).toEqual(want);
  });

  test("a name that nothing has is refused", () => {
    expect(() => listVms([ledger], { name: "db-9" }, now)).toThrow("no group of VMs and no VM is called db-9");
  });

  test("next to the rows of each group stands what it wants, what may be unavailable, and what its next VM waits for", () => {
    const { notes = [] } = listVms([ledger, index], {}, now);
    expect(notes.map((note) => printSentence(note))).toEqual([
      "prod:payments/ledger wants 1-25-2: 1 of 3 VMs ready, 2 unavailable, at most 1 may be; " +
        "2 of its VMs are unavailable, and at most 1 may be",
      "test:search/index nothing is written on it, so no VM is tagged: 0 of 5 VMs ready, 0 unavailable, at most 1 may be; " +
        "4 more are not listed; as of 2026-11-28T11:00:00.000Z: its executor has published nothing since",
    ]);
  });
});
