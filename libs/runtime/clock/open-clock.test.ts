import { describe, expect, it } from "vitest";

import { ConfigProblems } from "../config/config-problems.ts";
import { openClock, refuseScaledClock } from "./open-clock.ts";

describe("12.1 the clock of a process", () => {
  it("is the machine's when no other one is configured", () => {
    for (const spec of [undefined, ""]) {
      const before = Date.now();
      const now = openClock(spec).now();
      expect(now).toBeGreaterThanOrEqual(before);
      expect(now).toBeLessThanOrEqual(Date.now());
    }
  });

  it("of a sandbox starts at the configured time and runs faster", () => {
    const startAt = Date.UTC(2030, 0, 1);
    const beganAt = Date.now() - 10_000;
    const now = openClock(`${startAt}:60:${beganAt}`).now();
    expect(now).toBeGreaterThanOrEqual(startAt + 600_000);
    expect(now).toBeLessThanOrEqual(startAt + 60 * (Date.now() - beganAt));
  });

  it("of a sandbox sleeps a minute of `now` in a thousandth of it, and real time unscaled", async () => {
    const clock = openClock(`0:1000:${Date.now()}`);
    const before = clock.monotonic();
    await clock.sleep(60_000);
    const slept = clock.monotonic() - before;
    expect(slept).toBeGreaterThan(50);
    expect(slept).toBeLessThan(59_000);
    await clock.sleepReal(20);
    expect(clock.monotonic() - before - slept).toBeGreaterThan(15);
  });

  it.each(["60", "1:2", "a:b:c", "1:0:1", "1:-5:1", "1:2:3:4", "1::3"])("%s is refused, with its name", (spec) => {
    expect(() => openClock(spec)).toThrow(ConfigProblems);
    expect(() => openClock(spec)).toThrow("MESHROLL_SANDBOX_CLOCK");
  });
});

describe("a faster clock next to a real cluster", () => {
  const spec = "0:60:0";
  const cases = [
    { name: "no faster clock", spec: undefined, servers: ["https://10.0.0.1"], wantRefused: false },
    {
      name: "the sandbox",
      spec,
      servers: ["http://127.0.0.1:8080", "https://localhost:1", "http://[::1]:2"],
      wantRefused: false,
    },
    { name: "a real one", spec, servers: ["https://10.0.0.1:6443"], wantRefused: true },
    {
      name: "a real one among others",
      spec,
      servers: ["http://127.0.0.1:1", "https://k8s.example.com"],
      wantRefused: true,
    },
    { name: "a name that only looks local", spec, servers: ["https://127.0.0.1.example.com"], wantRefused: true },
    { name: "something unreadable", spec, servers: ["east"], wantRefused: true },
  ];
  it.each(cases)("$name: refused $wantRefused", ({ spec: given, servers, wantRefused }) => {
    expect(refuseScaledClock(given, servers) !== undefined).toBe(wantRefused);
  });
});
