import { describe } from "vitest";

import { describeApart } from "./conformance/apart.ts";
import type { Bench } from "./conformance/bench.ts";
import { describeFaults } from "./conformance/faults.ts";
import { describeKeys } from "./conformance/keys.ts";
import { describeLease } from "./conformance/lease.ts";
import { describeMessages } from "./conformance/messages.ts";
import { describeWork } from "./conformance/work.ts";

export type { Bench } from "./conformance/bench.ts";

/** What every implementation of `Bus` must do on a working server; `make` starts a fresh one. */
export function describeBus(name: string, make: () => Promise<Bench>): void {
  describe(name, () => {
    describe("keys", () => {
      describeKeys(make);
    });
    describe("a lease", () => {
      describeLease(make);
    });
    describe("messages", () => {
      describeMessages(make);
    });
    describe("two installations on one server", () => {
      describeApart(make);
    });
  });
}

/** What it must do when its server dies or is wiped, or a reader dies with a message. Timeouts pass in real time. */
export function describeBusFaults(name: string, make: () => Promise<Bench>): void {
  describe(name, () => {
    describe("work", () => {
      describeWork(make);
    });
    describe("faults", () => {
      describeFaults(make);
    });
  });
}
