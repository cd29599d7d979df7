import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { createThrottleGroups } from "./throttle-groups.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("starts writes in order, one spacing apart, also after a failed one", async () => {
  const { write } = createThrottleGroups(20);
  const began = Date.now();
  const at: number[] = [];
  const work = async (name: string): Promise<string> => {
    at.push(Date.now() - began);
    if (name === "second") throw new Error(name);
    return name;
  };
  const all = Promise.allSettled(
    ["first", "second", "third"].map(async (name) => write.key("id").schedule({}, work, name)),
  );
  await vi.runAllTimersAsync();
  expect((await all).map((entry) => entry.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(at).toEqual([0, 20, 40]);
});
