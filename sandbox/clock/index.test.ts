import { openClock } from "#libs/runtime";
import { describeSandboxClock } from "#sandbox/clock";
import { expect, it } from "vitest";

it("12.1 all processes of a sandbox get one clock that starts where it should", () => {
  const startAt = Date.UTC(2030, 0, 1);
  const spec = describeSandboxClock({ startAt, factor: 60 });
  const [one, other] = [openClock(spec).now(), openClock(spec).now()];
  expect(one).toBeGreaterThanOrEqual(startAt);
  // A real second passes as a minute: two readings in a row are closer than that.
  expect(other - one).toBeLessThan(60_000);
});
