import { describe } from "vitest";

import type { Bench } from "./conformance/bench.ts";
import { describeFaults } from "./conformance/faults.ts";
import { describeHandingOut } from "./conformance/handing-out.ts";
import { describeWorking } from "./conformance/working.ts";

export type { Bench, TestJob } from "./conformance/bench.ts";

/** What every implementation of `BatchQueue` and `ServeBatches` must do on a working server; `make` starts an empty one. */
export function describeQueue(name: string, make: () => Promise<Bench>): void {
  describe(name, () => {
    describe("handing out", () => {
      describeHandingOut(make);
    });
    describe("working", () => {
      describeWorking(make);
    });
  });
}

/** What they must do when their server dies, fills up or loses its data. Timeouts pass in real time. */
export function describeQueueFaults(name: string, make: () => Promise<Bench>): void {
  describe(name, () => {
    describe("faults", () => {
      describeFaults(make);
    });
  });
}
