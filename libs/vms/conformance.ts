import { describe } from "vitest";

import type { VmBench } from "./conformance/bench.ts";
import { describeFaults } from "./conformance/faults.ts";
import { describeLists } from "./conformance/lists.ts";
import { describeTags } from "./conformance/tags.ts";

export type { VmBench } from "./conformance/bench.ts";

/** What every `VmFleet` must do, also that of a cloud which has no adapter yet; `make` brings a place without VMs. */
export function describeVmFleet(name: string, make: () => Promise<VmBench>): void {
  describe(name, () => {
    describe("lists", () => {
      describeLists(make);
    });
    describe("tags", () => {
      describeTags(make);
    });
    describe("faults", () => {
      describeFaults(make);
    });
  });
}
