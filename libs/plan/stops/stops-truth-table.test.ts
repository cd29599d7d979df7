import { type VerbRequest, decide, permitPatch, type StopRecord, type StopScope } from "#libs/plan";
import { makeCluster, makeRun, makeStop, makeWorkload, makeSnapshot, runId, sha } from "#test/world/build";
import { makeItem, makeJob, makeExecutorView, openRunLedger } from "#test/world/executor";
import { collectMoveStops } from "#libs/plan";
import fc from "fast-check";
import { printText, renderReason } from "#libs/wording";
import { describe, expect, test } from "vitest";

const a = makeWorkload("shop/a");

/** All kinds of stops, and whether each holds shop/a of the run in cluster one. */
const scopes: readonly (readonly [scope: StopScope, binds: boolean])[] = [
  ["all", true],
  ["cluster/one", true],
  ["cluster/two", false],
  [`run/${runId}`, true],
  ["run/aaaaaaaaaaaa", false],
  ["namespace/shop", true],
  ["namespace/shop-a", false],
  ["bucket/production", true],
  ["bucket/shop", false],
  ["campaign/other", false],
];

interface Placed {
  readonly scope: StopScope;
  readonly binds: boolean;
  readonly strength: "propose" | "move";
  /** The place where it was found. */
  readonly in: "ledger" | "control";
  readonly resumed: boolean;
  /** Only a request on the bus: a resume counts only from the ledger. */
  readonly resumeRequested: boolean;
}

const placed: fc.Arbitrary<Placed> = fc
  .record({
    scope: fc.constantFrom(...scopes),
    strength: fc.constantFrom("propose" as const, "move" as const),
    in: fc.constantFrom("ledger" as const, "control" as const),
    resumed: fc.boolean(),
    resumeRequested: fc.boolean(),
  })
  .map(({ scope: [scope, binds], ...rest }) => ({ scope, binds, ...rest }));

function isInForce({ binds, strength, in: place, resumed }: Placed): boolean {
  return binds && strength === "move" && !(place === "ledger" && resumed);
}

function build(all: readonly Placed[], kubectl: boolean) {
  const resume = { at: "2026-11-19T12:05:00.000Z", who: "ben", why: "fixed" };
  const stops: Record<string, StopRecord> = {};
  const requests: VerbRequest[] = [];
  for (const [index, { scope, strength, in: place, resumed, resumeRequested }] of all.entries()) {
    const id = `s${index}`;
    const at = "2026-11-19T12:00:00.000Z";
    if (place === "ledger") stops[id] = makeStop({ id, scope, strength, ...(resumed ? { resume } : {}) });
    else requests.push({ id, verb: "stop", scope, strength, who: "ana", why: "", at });
    if (resumeRequested)
      requests.push({ id: `resume-${id}`, verb: "resume", scope, strength: "move", who: "ben", why: "", at });
  }
  const ledger = openRunLedger({ stops, runs: { [runId]: makeRun(sha("head"), sha("base")) } });
  const cluster = makeCluster("one", [a], { facts: { stops: { kubectl, recorded: {} } } });
  return { ledger, requests, cluster };
}

describe("the most restrictive stop holds, in any order of pauses and resumes", () => {
  test("7.1 an executor writes exactly when no binding stop is in force, from any place", () => {
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 6 }), fc.boolean(), (all, kubectl) => {
        const { ledger, requests, cluster } = build(all, kubectl);
        const stops = collectMoveStops(ledger, requests, [cluster], undefined);
        const { snapshot, judged } = makeExecutorView({ cluster, ledger, stops });
        const permit = permitPatch(snapshot, makeJob(), makeItem(a), judged[0]);
        const isHeld = kubectl || all.some(isInForce);
        expect(permit.kind === "go").toBe(!isHeld);
      }),
      { numRuns: 400 },
    );
  });

  test("7.1 a planner hands out exactly when no recorded stop is in force, and records the others first", () => {
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 6 }), fc.boolean(), (all, kubectl) => {
        const recorded = all.map((each) => ({ ...each, in: "ledger" as const, resumeRequested: false }));
        const { ledger, requests, cluster } = build(recorded, kubectl);
        const decisions = decide(makeSnapshot({ ledger, requests, clusters: new Map([["one", cluster]]) }));
        const isHeld = kubectl || recorded.some(isInForce);
        expect(decisions.some(({ kind }) => kind === "handOut")).toBe(!isHeld);
        const reasons = decisions.flatMap((each) => (each.kind === "wait" ? [each.reason] : []));
        // The wait names who placed the stop, why, and the command that ends it.
        expect(reasons.filter(({ code }) => code === "Stopped").length > 0).toBe(isHeld);
        expect(reasons.map(renderReason).every(({ owner, message }) => owner !== "" && printText(message) !== "")).toBe(
          true,
        );
      }),
      { numRuns: 200 },
    );
  });
});
