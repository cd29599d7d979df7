import { expect, test } from "vitest";

import { renderWorkloadEvent } from "./workload-events.ts";

const facts = { run: "0123456789ab", from: "old", to: "new", namespace: "shop", isRollback: false };

test.each([
  ["pods", {}, "run 0123456789ab moved it: all pods run new, before old."],
  ["a group of VMs", { isVms: true as const }, "run 0123456789ab moved it: its VMs run new, before old."],
])("a move that is through says what arrived: %s", (_, more, want) => {
  expect(renderWorkloadEvent({ ...facts, ...more }, { kind: "arrived" }).note).toContain(want);
});
