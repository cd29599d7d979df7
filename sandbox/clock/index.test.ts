import { openClock } from "#libs/runtime";
import { describeSandboxClock } from "#sandbox/clock";
import { expect, it } from "vitest";

it("12.1 all processes of a sandbox get one clock that starts where it should", () => {
  const startAt = Date.UTC(2030, 0, 1);
  const before = Date.now();
  const spec = describeSandboxClock({ startAt, factor: 60 });
  const [one, other] = [openClock(spec).now(), openClock(spec).now()];
  expect(one).toBeGreaterThanOrEqual(startAt);
  // A real second passes as a minute.
  expect(other).toBeGreaterThanOrEqual(one);
  expect(other - startAt).toBeLessThanOrEqual(60 * (Date.now() - before));
});
