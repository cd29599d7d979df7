import { createVirtualClock } from "#fakes/runtime";
import { createLogger } from "#libs/runtime";
import type { InjectionProof } from "#libs/fleet";
import type { Cluster } from "#libs/kube";
import { expect, test } from "vitest";

import { renewInjectionProofs } from "./renew-injection-proofs.ts";

/** An executor's loop over one cluster with the revision `new`, and the times of its dry runs, real ms. */
function openBench(mode: "observe" | "act" = "act") {
  const clock = createVirtualClock();
  const start = clock.monotonic();
  const dryRuns: number[] = [];
  let proof: InjectionProof | undefined;
  let provenAt = Number.NEGATIVE_INFINITY;
  let isWell = true;
  /** As the cluster's prover does: a fresh proof is not made again. */
  const prove = (maxAgeMs: number): void => {
    if (proof?.state === "proven" && clock.monotonic() - provenAt < maxAgeMs) return;
    dryRuns.push(clock.monotonic() - start);
    provenAt = clock.monotonic();
    proof = isWell ? { state: "proven" } : { state: "unknown", why: "the API server answered 503" };
  };
  const cluster = {
    name: "one",
    view: {
      facts: () => ({ revisions: [{ name: "new", webhook: true }], tags: {}, injection: { new: proof } }),
    } as unknown as Cluster["view"],
    proveInjection: async (_: readonly string[], maxAgeMs: number) => prove(maxAgeMs),
    locateControlPlane: () => undefined,
  };
  const stop = new AbortController();
  const parts = { cluster, repositorySnapshots: { view: () => undefined }, mode, clock };
  const done = renewInjectionProofs({ ...parts, log: createLogger("test", [], "error", () => undefined) }, stop.signal);
  const setWell = (next: boolean): void => void (isWell = next);
  return { clock, dryRuns, stop, done, setWell, proveForBatch: () => prove(5_000) };
}

test("a proof is made again every 20 s", async () => {
  const { clock, dryRuns } = openBench();
  await clock.advance(50_000);
  expect(dryRuns).toEqual([0, 20_000, 40_000]);
});

test("a proof that failed for a batch is tried again within 2 s", async () => {
  const { clock, dryRuns, setWell, proveForBatch } = openBench();
  await clock.advance(7_000);
  setWell(false);
  proveForBatch();
  await clock.advance(2_500);
  setWell(true);
  await clock.advance(25_000);
  expect(dryRuns).toEqual([0, 7_000, 8_000, 10_000, 30_000]);
});

test("a proof that a batch has just made is not repeated", async () => {
  const { clock, dryRuns, proveForBatch } = openBench();
  await clock.advance(15_000);
  proveForBatch();
  await clock.advance(19_000);
  expect(dryRuns).toEqual([0, 15_000]);
});

test("an observed cluster gets no dry run", async () => {
  const { clock, dryRuns, stop, done } = openBench("observe");
  await clock.advance(60_000);
  expect(dryRuns).toEqual([]);
  stop.abort();
  await clock.advance(2_000);
  await done;
});
