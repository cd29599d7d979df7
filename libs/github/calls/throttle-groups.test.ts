import { expect, it } from "vitest";

import { createThrottleGroups } from "./throttle-groups.ts";

it("lets writes through in order, one spacing apart, whatever becomes of them", async () => {
  const { write } = createThrottleGroups(20);
  const at: number[] = [];
  const work = async (name: string): Promise<string> => {
    at.push(performance.now());
    if (name === "second") throw new Error(name);
    return name;
  };
  const done = await Promise.allSettled(
    ["first", "second", "third"].map(async (name) => write.key("id").schedule({}, work, name)),
  );
  expect(done.map((entry) => entry.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  // Timers may fire up to a millisecond early.
  expect((at[2] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(38);
});
