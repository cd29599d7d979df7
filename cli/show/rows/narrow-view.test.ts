import { evaluateFleet } from "#libs/plan";
import { makeInstant } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { listNamespaces, listWorkloads } from "./get-fleet-rows.ts";
import { listFailures } from "./get-left-rows.ts";
import { listRevisions } from "./get-revision-rows.ts";
import { type FleetPart, narrowView } from "./narrow-view.ts";
import { requireFleetName, requireStatusName } from "./require-name.ts";
import { instantRun, statusOf } from "#test/world/campaigns/campaign-instant";

function see() {
  const snapshot = makeInstant();
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("main does not parse");
  return { snapshot, head, evaluation: evaluateFleet(snapshot, head) };
}

const count = (part: FleetPart): number => listWorkloads(narrowView(see(), part), undefined).rows.length;

describe("a part of the fleet", () => {
  it("is one cluster's, for every listing of the fleet", () => {
    const view = narrowView(see(), { cluster: "prod-euw1-a" });
    expect(listWorkloads(view, undefined).rows.every(({ cells }) => cells[1] === "prod-euw1-a")).toBe(true);
    expect(listNamespaces(view, undefined).rows.every(({ wide }) => wide[1] === "prod-euw1-a")).toBe(true);
    expect(listRevisions(view, undefined).rows.every(({ cells }) => cells[4] === "1")).toBe(true);
    expect(count({ cluster: "prod-euw1-a" })).toBeLessThan(count({}));
  });

  it("has the failures of that part alone", () => {
    const failures = (part: FleetPart) => listFailures(narrowView(see(), part), undefined).rows.map(({ name }) => name);
    const one = ["prod-use1-a:team-043/Deployment/api"];
    const parts = [
      {},
      { cluster: "prod-use1-a" },
      { cluster: "prod-euw1-a" },
      { namespace: "team-043" },
      { namespace: "team-004" },
    ];
    expect(parts.map(failures)).toEqual([one, one, [], one, []]);
  });

  it("is one namespace's", () => {
    expect(listNamespaces(narrowView(see(), { namespace: "team-004" }), undefined).rows).toHaveLength(1);
  });

  it("is the namespaces with matching labels", () => {
    expect(count({ labels: [{ key: "team", operator: "DoesNotExist", values: [] }] })).toBe(count({}));
    expect(count({ labels: [{ key: "team", operator: "Exists", values: [] }] })).toBe(0);
  });
});

describe("a name of what is listed", () => {
  const fleet = [
    { kind: "namespaces", good: "team-004", bad: "team-4000", want: "there is no namespace team-4000" },
    { kind: "workloads", good: "team-004/Deployment/api", bad: "Deployment/apo", want: "no workload Deployment/apo" },
    { kind: "workloads", good: "api", bad: "nothing", want: "there is no workload nothing" },
    { kind: "revisions", good: "1-24-5", bad: "1-24-6", want: "there is no revision 1-24-6" },
    { kind: "failures", good: "istio-1-25", bad: "istio-1-26", want: "there is no campaign istio-1-26" },
    { kind: "failures", good: `run/${instantRun}`, bad: "run/0123456789ab", want: "there is no run 0123456789ab" },
  ] as const;
  it.each(fleet)("$kind has $good, and refuses $bad", ({ kind, good, bad, want }) => {
    expect(() => requireFleetName(kind, good, see())).not.toThrow();
    expect(() => requireFleetName(kind, bad, see())).toThrow(want);
  });

  const ofStatus = [
    { kind: "stages", good: "istio-1-25", bad: "istio-1-26", want: "there is no campaign istio-1-26" },
    { kind: "batches", good: `run/${instantRun}`, bad: "run/0123456789ab", want: "there is no run 0123456789ab" },
  ] as const;
  it.each(ofStatus)("$kind has $good, and refuses $bad", ({ kind, good, bad, want }) => {
    const status = statusOf(makeInstant());
    expect(() => requireStatusName(kind, good, status)).not.toThrow();
    expect(() => requireStatusName(kind, bad, status)).toThrow(want);
  });
});
