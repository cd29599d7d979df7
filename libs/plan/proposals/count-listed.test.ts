import { writeText } from "#libs/wording";
import { expect, test } from "vitest";

import { countListed } from "./count-listed.ts";

const skipped = { message: writeText("a gateway") };

test("each workload of the run is in one class; one that only the label affects is in none", () => {
  const workloads = [
    { isMigrated: false },
    { isMigrated: false },
    { isMigrated: true },
    { isMigrated: true, skipped },
    { isMigrated: false, skipped },
    { isMigrated: false, skipped, neighbour: true as const },
  ];
  expect(countListed([{ workloads }, { workloads: [] }])).toEqual({ workloads: 5, listed: 2, migrated: 2, skipped: 1 });
});
