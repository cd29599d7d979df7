import { describe } from "vitest";

import type { Bench } from "./conformance/bench.ts";
import { describeIstiods } from "./conformance/istiods.ts";
import { describeReads } from "./conformance/reads.ts";
import { describeStalls } from "./conformance/stalls.ts";
import { describeWrites } from "./conformance/writes.ts";

export type { Bench, Ground } from "./conformance/bench.ts";

/** What every implementation of `Cluster` must do; `make` brings a fresh one, not started, and the ground under it. */
export function describeCluster(name: string, make: () => Promise<Bench>): void {
  describe(`cluster: ${name}`, () => {
    describe("reading", () => {
      describeReads(make);
    });
    describe("istiods", () => {
      describeIstiods(make);
    });
    describe("silence", () => {
      describeStalls(make);
    });
    describe("writing", () => {
      describeWrites(make);
    });
  });
}
