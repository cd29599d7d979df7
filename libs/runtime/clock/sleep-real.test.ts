import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { sleepReal } from "./sleep-real.ts";

describe("sleeping in real time", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("28 days do not end at once", async () => {
    const days = 28 * 24 * 3600 * 1000;
    let done = false;
    void sleepReal(days).then(() => (done = true));
    await vi.advanceTimersByTimeAsync(days - 1);
    expect(done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toBe(true);
  });

  it("ends with the signal's reason, and leaves no timer", async () => {
    const stop = new AbortController();
    const sleep = sleepReal(1000, stop.signal);
    stop.abort(new Error("enough"));
    await expect(sleep).rejects.toThrow("enough");
    expect(vi.getTimerCount()).toBe(0);
  });
});
