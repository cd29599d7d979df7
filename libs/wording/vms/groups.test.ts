import { expect, test } from "vitest";

import { printPlainLine } from "../text-line.ts";
import { lineVmGroup, printVmGroup, type VmGroupWords } from "./groups.ts";

const group: VmGroupWords = {
  workload: "shop/WorkloadGroup/db",
  vms: 40,
  allowed: 4,
  upgrading: 0,
  failed: 0,
  unknown: 0,
  unhealthy: 0,
  outdated: 40,
  absent: 1,
};

test.each([
  ["none has had its turn", {}, "0 of 40 VMs upgraded, at most 4 unavailable at once"],
  [
    "some are broken",
    { outdated: 20, upgrading: 2, failed: 1, unknown: 1 },
    "16 of 40 VMs upgraded, 2 upgrading, 1 failed, 1 unknown, at most 4 unavailable at once",
  ],
])("%s", (_, change, want) => expect(printVmGroup({ ...group, ...change })).toBe(want));

test("a line names its cluster and workload", () => {
  expect(printPlainLine(lineVmGroup("east", group))).toMatch(/^east: shop\/WorkloadGroup\/db: 0 of 40 VMs/u);
});
