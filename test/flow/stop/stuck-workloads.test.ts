import { describe, expect, test } from "vitest";

import { file, openShop, refOf, running } from "../shop.ts";

const stuck = Array.from({ length: 20 }, (_, index) => `a${String(index).padStart(2, "0")}`);
const well = Array.from({ length: 10 }, (_, index) => `w${index}`);
const minute = 60_000;

const settings = (strategy: string, policy = "failurePolicy: ContinueOnError") =>
  `defaults:\n  strategy: ${strategy}\n` +
  `  batch: { batchSize: 2, ${strategy === "Batched" ? "delayBetweenBatches: 10s, " : ""}readinessTimeout: 5m, ${policy} }\n` +
  // All stuck workloads fail, and the run continues.
  "  gates: [{ name: restarts, when: during, restartHealth: { maxFailureRatio: 1 } }]\n";

/** Opens a shop whose first `count` workloads never get ready on `new`; resolves with the ms until all others have arrived. */
async function play(strategy: string, count: number, policy?: string) {
  const broken = new Set(stuck.slice(0, count));
  const flow = await openShop({
    names: [...stuck, ...well],
    settings: settings(strategy, policy),
    readyMs: 2000,
    prepare: (model) => {
      const isStuck = ({ namespace }: { readonly namespace: string }) => broken.has(namespace.slice("shop-".length));
      model.breakWorkload(isStuck, { how: "neverReady", whenRevision: "new" });
    },
  });
  const began = flow.clock.now();
  flow.whenMerged(file(100));
  const others = [...stuck, ...well].filter((name) => !broken.has(name));
  const waitForOthers = async () => {
    await flow.until("the others arrived", () => others.every((name) => running(flow, refOf(name)).join() === "new"));
    return flow.clock.now() - began;
  };
  return { flow, broken, waitForOthers };
}

describe("4.7 a workload that never gets ready does not block the others", () => {
  test.each(["Batched", "Window"])("%s: with 20 stuck the others wait at most 300 s longer", async (strategy) => {
    const undisturbed = await play(strategy, 0);
    const plain = await undisturbed.waitForOthers();
    await undisturbed.flow.end();
    const { flow, broken, waitForOthers } = await play(strategy, 20);
    const took = await waitForOthers();
    expect(took - plain).toBeLessThanOrEqual(5 * minute);

    // Each stuck workload is watched to its end: named and put back.
    const [run] = await flow.untilRunsEnd(1);
    expect(run?.state).toBe("done");
    expect(run?.outcome?.skipped.map(({ code }) => code)).toEqual([...broken].map(() => "ReadinessTimeout"));
    await flow.end();
  });
});

describe("4.7 what a stuck workload still blocks", () => {
  const cases = [
    { name: "with FailFast its place, so that at most one batch is hurt", policy: "failurePolicy: FailFast", want: 2 },
    { name: "with maxFailures the places of those that must not fail", policy: "maxFailures: 3", want: 5 },
    {
      name: "with maxUnavailable its part of the budget",
      policy: "failurePolicy: ContinueOnError, maxUnavailable: 4",
      want: 4,
    },
  ];
  test.each(cases)("$name", async ({ policy, want }) => {
    const { flow, broken } = await play("Window", 20, policy);
    const countStuck = () => [...broken].filter((name) => running(flow, refOf(name)).includes("new")).length;
    await flow.until("it is full", () => countStuck() > 1);
    await flow.pass(4 * minute);
    expect(countStuck()).toBe(want);
    await flow.end();
  });
});
