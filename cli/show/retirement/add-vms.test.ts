import type { VmRow } from "#libs/events";
import type { RevisionUsage } from "#libs/kube";
import { describe, expect, test } from "vitest";

import type { PublishedVms } from "../../read/bus/read-vms.ts";
import { addVms, listVmUses, type VmUses } from "./add-vms.ts";
import { type ClusterUsage, judgeRetirement } from "./judge-retirement.ts";

const free: RevisionUsage = {
  uid: "u",
  readAt: 0,
  isInstalled: true,
  uses: [],
  ended: [],
  unread: [],
  installed: [],
  installedUnread: [],
};
const at = "2026-11-28T12:00:00.000Z";

function makeGroup(cluster: string, vms: readonly VmRow[]): PublishedVms {
  return { group: { cluster, namespace: "shop", name: "db" }, rows: { at, allowed: 1, vms: [...vms] } };
}

const groups = [
  makeGroup("a", [
    { name: "db-1", state: "ready", revision: "1-31" },
    { name: "db-2", state: "failed", revision: "1-30", tag: "1-31" },
    { name: "db-3", state: "absent", revision: "1-30" },
    { name: "db-4", state: "unknown" },
  ]),
  makeGroup("b", [{ name: "db-1", state: "ready", revision: "1-31" }]),
];

/** The verdict about both clusters, which nothing else uses. */
function judge(vms: VmUses): string {
  const main = { main: "c", spec: { rollouts: { buckets: [] }, campaigns: new Map() } as never, ledger: undefined };
  const clusters = ["a", "b"].map((name) => addVms({ name, usage: free }, vms));
  return judgeRetirement("1-30", clusters, main).verdict;
}

describe("VMs that a revision is retired under", () => {
  test("they are counted by group, those that are off too", () => {
    expect(listVmUses(groups, "1-30")).toEqual(
      new Map([["a", [{ as: "vms", what: "shop/WorkloadGroup/db", count: 2 }]]]),
    );
  });

  test.each([
    ["one runs it: it is in use", listVmUses(groups, "1-30"), "used"],
    ["none runs it", listVmUses(groups, "1-29"), "retired"],
    ["the bus does not answer: nothing is certified", { unread: "what VMs run: NATS does not answer" }, "unknown"],
  ])("%s", (_, vms, want) => expect(judge(vms)).toBe(want));

  test("a cluster that cannot be read stays as it is", () => {
    const silent: ClusterUsage = { name: "a", why: "refused" };
    expect(addVms(silent, listVmUses(groups, "1-30"))).toBe(silent);
  });
});
