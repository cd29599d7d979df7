import type { ArgoFacts, Workload } from "#libs/fleet";
import { makeWorkload, moved, runId } from "#test/world/build";
import { expect, test } from "vitest";

import { findArgoHold } from "./argo-hold.ts";

const plain = makeWorkload("shop/a", { kind: "Rollout" });
/** In the middle of an update: its owner's, and ours to `new`. */
const half = { updated: 1, observedGeneration: plain.generation };
const owners: Workload = { ...plain, ...half };
const ours: Workload = { ...moved(plain, "new", runId), updated: 1 };
const ourHalf: Workload = { ...ours, observedGeneration: ours.generation };

const held: ArgoFacts = { holds: "promotion", steps: { done: 1, of: 3 } };
const aborted: ArgoFacts = { degraded: "RolloutAborted: no" };
const awaits = { code: "AwaitsPromotion", name: "a", namespace: "shop", done: 1, of: 3 };
const degraded = { code: "RolloutDegraded", name: "a", namespace: "shop", why: "RolloutAborted: no" };

const cases: readonly (readonly [string, Workload, ArgoFacts, isWrittenFor: boolean, object | undefined])[] = [
  ["its owner's update waits for a promotion", owners, held, false, awaits],
  ["ours towards the desired revision does", ourHalf, held, true, awaits],
  ["ours towards another one is taken back", ourHalf, held, false, undefined],
  ["its owner's update was aborted", owners, aborted, false, degraded],
  ["ours was, which is a failure of the move", ourHalf, aborted, true, undefined],
  ["its spec is invalid, and nothing rolls", plain, aborted, false, degraded],
  ["its strategy takes its time", owners, { holds: "strategy" }, false, undefined],
  ["its controller has not seen our write", ours, held, true, undefined],
];

test.each(cases)("%s", (_, workload, argo, isWrittenFor, want) => {
  expect(findArgoHold({ ...workload, argo }, isWrittenFor)).toEqual(want);
});
