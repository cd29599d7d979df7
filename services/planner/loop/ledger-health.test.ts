import { createVirtualClock } from "#fakes/runtime";
import { expect, test } from "vitest";

import { createLedgerHealth } from "./ledger-health.ts";

test("while a push has not ended its start is reported, and nothing else is pushed", () => {
  const health = createLedgerHealth(createVirtualClock());
  const before = health.describe();
  health.began("run a begins");
  const during = health.describe();
  health.worked();
  health.ended();
  expect([before, during, health.describe()]).toEqual([
    {},
    { ledgerSlow: "no answer since 2026-01-01T00:00:00.000Z (run a begins)" },
    {},
  ]);
});

test("after a failure it is down until the next try has ended; tries become less and less frequent", async () => {
  const clock = createVirtualClock();
  const health = createLedgerHealth(clock);
  const pauses: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    health.began("run a begins");
    health.failed("read-only");
    health.ended();
    const from = clock.monotonic();
    while (health.describe().ledgerDown !== undefined) await clock.advance(1000);
    pauses.push(clock.monotonic() - from);
  }
  health.began("run a begins");
  expect([pauses, health.describe()]).toEqual([[10_000, 20_000, 40_000, 60_000, 60_000], { ledgerDown: "read-only" }]);
});

test("when the server is back, the next try is allowed at once", () => {
  const health = createLedgerHealth(createVirtualClock());
  health.failed("gone");
  health.serverIsBack();
  expect(health.describe()).toEqual({});
});
