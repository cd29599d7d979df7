import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";

import { withinPatience } from "./patience.ts";

const limits = { patienceMs: 200, pollMs: 5 };

test("progress keeps the wait alive, however long it takes", async () => {
  let steps = 0;
  const work = (async () => {
    while (steps < 30) {
      await sleep(20);
      steps += 1;
    }
    return "there";
  })();
  const printProgress = () => String(steps);
  expect(await withinPatience(work, { what: "the end", folder: "/logs", printProgress, limits })).toBe("there");
});

test("a wait without progress ends with a hint where to look", async () => {
  const never = new Promise<string>(() => undefined);
  await expect(
    withinPatience(never, { what: "the end", folder: "/logs", printProgress: () => "", limits }),
  ).rejects.toThrow("the end: no progress for 0 s: see the logs in /logs");
});

test("a failure is passed on unchanged", async () => {
  const failed = Promise.reject(new Error("the api ended"));
  await expect(
    withinPatience(failed, { what: "the end", folder: "/logs", printProgress: () => "", limits }),
  ).rejects.toThrow("the api ended");
});
