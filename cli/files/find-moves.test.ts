import { makeStop } from "#test/world/build";
import { makeInstant } from "#test/world/campaigns/campaign-instant";
import { describe, expect, test } from "vitest";

import { printExplanation } from "../show/explanations/print-explanation.ts";
import { findMoves } from "./find-moves.ts";

const snapshot = makeInstant();
const head = snapshot.specs.get(snapshot.main.head);
if (head === undefined) throw new Error("main does not parse");
/** A namespace that a later stage moves. */
const namespace = head.resolver.resolve("team-001").revision === "1-24-5" ? "team-001" : "team-002";
const hold = makeStop({ id: "h", scope: "campaign/istio-1-25", strength: "propose", why: "INC-1" });

const ask = (stops: Parameters<typeof findMoves>[3] = []) => findMoves(head, namespace, snapshot.now, stops);

/** The sentences that a person reads about these moves. */
function print(moves: ReturnType<typeof ask>, more: { readonly stopsUnknown?: string } = {}): string {
  const bucket = { pattern: "production", line: 1, column: 1, shares: [] };
  const words = {
    namespace,
    revision: "1-24-5",
    reason: "SPLIT",
    file: "rollouts.yml",
    seed: "",
    pinned: false,
  } as const;
  const explanation = {
    apiVersion: "meshroll.dev/v1",
    kind: "Explanation",
    ...words,
    matches: [bucket],
    moves,
    ...more,
  } as const;
  return printExplanation(explanation, { tz: "UTC" }, { env: {} });
}

describe("when a namespace moves", () => {
  test("is after its stage's merge and approvals", () => {
    expect(ask()).toMatchObject([{ stage: {}, merge: { itself: false }, stops: [] }]);
    expect(print(ask())).toMatch(
      /not before \d{4}-[\d: -]+ UTC\n {12}once a person merges its pull request, with \d+ approval/u,
    );
  });

  test("is unknown during a hold, which is shown with the command that ends it", () => {
    const text = print(ask([hold]));
    expect(text).toMatch(/not before [^\n]+, and not while it is held\n/u);
    expect(text).toContain("  held      by a hold on campaign/istio-1-25, of ana: INC-1\n");
    expect(text).toContain('            meshroll unhold campaign/istio-1-25 --reason "…"\n');
  });

  test("counts a rollback's hold, which unhold ends", () => {
    const left = makeStop({ id: "r", scope: "bucket/production", rollbackOf: "0ff56d2715bc", cause: "rolledBack" });
    expect(print(ask([left]))).toContain(
      '  held      by a hold on bucket/production, of ana: because\n            meshroll unhold bucket/production --reason "…"\n',
    );
  });

  test.each([
    { scope: "all", want: 1 },
    { scope: "bucket/production", want: 1 },
    { scope: `namespace/${namespace}`, want: 1 },
    { scope: "campaign/istio-1-26", want: 0 },
    { scope: "namespace/team-999", want: 0 },
    { scope: "cluster/prod-euw1-a", want: 0 },
  ] as const)("a stop on $scope binds $want of its moves", ({ scope, want }) => {
    expect(ask([makeStop({ id: "s", scope })])[0]?.stops).toHaveLength(want);
  });

  test("is unknown without the ledger, because there may be a hold", () => {
    expect(print(ask(), { stopsUnknown: "its format is newer" })).toContain(
      "  held      not known: its format is newer\n",
    );
  });

  test("ignores a stop for one cluster only", () => {
    expect(ask([{ ...hold, foundIn: "prod-euw1-a" }])[0]?.stops).toEqual([]);
  });
});
