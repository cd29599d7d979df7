import { printText, writeText } from "#libs/wording";
import type { Gate } from "#libs/campaign";
import type { ClusterSnapshot } from "#libs/plan";
import { readGateNow } from "#test/world/campaigns/ask-gates";
import { makeCluster } from "#test/world/build";
import { gates, isoAt, resumedByAna, makeGateStop, makeGateSnapshot, makeTried } from "#test/world/campaigns/gates";
import { describe, expect, it } from "vitest";

const bad = [makeCluster("one", makeTried(3, 4))];
const good = [makeCluster("one", makeTried(0, 4))];
const failedBefore = { verdict: "fail" as const, at: isoAt(-600_000), why: writeText("3 of 4") };

describe("3.3 what a person accepts by ending the stop of a gate", () => {
  const baked = { beganAt: isoAt(0), neededMs: 0, healthyMs: 0, savedAt: isoAt(0) };
  const answer = (gate: Gate, clusters: readonly ClusterSnapshot[]) => {
    const snapshot = makeGateSnapshot({ gate, clusters, run: { gates: { g: failedBefore }, bake: baked } });
    const { ledger } = snapshot;
    const stop = makeGateStop({ resume: resumedByAna });
    return readGateNow({ ...snapshot, ledger: ledger && { ...ledger, stops: { [stop.id]: stop } } });
  };
  it.each([
    {
      name: "a gate with when: during is measured again, and can fail",
      gate: gates.restartHealth(),
      clusters: bad,
      want: "fail",
    },
    {
      name: "a gate with when: after passes with the accepted value",
      gate: gates.restartHealth({ when: "after" }),
      clusters: bad,
      want: "pass",
    },
  ])("$name", ({ gate, clusters, want }) => {
    const reading = answer(gate, clusters);
    expect(reading?.verdict).toBe(want);
    expect(printText(reading?.why ?? writeText("")).includes("accepted by ana: looked at it")).toBe(want === "pass");
  });

  it("a gate that passes is not reported as accepted", () => {
    expect(answer(gates.restartHealth({ when: "after" }), good)?.why).not.toContain("accepted");
  });
});
