import { describe } from "vitest";

import { describeApart } from "./conformance/apart.ts";
import type { Bench } from "./conformance/bench.ts";
import { describeFaults } from "./conformance/faults.ts";
import { describeKeys } from "./conformance/keys.ts";
import { describeMessages } from "./conformance/messages.ts";
import { describeWork } from "./conformance/work.ts";

export type { Bench } from "./conformance/bench.ts";

/** What every implementation of `Bus` must do; `make` brings a fresh server. */
export function describeBus(name: string, make: () => Promise<Bench>): void {
  describe(name, () => {
    describe("keys", () => {
      describeKeys(make);
    });
    describe("messages", () => {
      describeMessages(make);
    });
    describe("work", () => {
      describeWork(make);
    });
    describe("two installations on one server", () => {
      describeApart(make);
    });
    describe("faults", () => {
      describeFaults(make);
    });
  });
}
