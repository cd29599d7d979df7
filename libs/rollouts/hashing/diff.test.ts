import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffRollouts } from "./diff.ts";
import { compileRollouts, type Resolver } from "./resolve.ts";
import type { Share } from "../source/types.ts";

type Lines = Readonly<Record<string, Readonly<Record<string, number>>>>;

function compileLines(lines: Lines, seed = ""): Resolver {
  const buckets = Object.entries(lines).map(([pattern, weights]) => {
    const shares: readonly Share[] = Object.entries(weights).map(([revision, weight]) => ({ revision, weight }));
    return { pattern, line: 1, column: 1, shares };
  });
  return compileRollouts({ buckets }, seed);
}

const fleet: readonly string[] = Array.from(
  { length: 500 },
  (_, at) => `team-${at}-${at % 3 === 0 ? "staging" : "prod"}`,
);

/** Pseudo-random shares of three revisions, the same in every run. */
function makeWeights(at: number): Readonly<Record<string, number>> {
  const a = (at * 37) % 61;
  const b = (at * 53) % 39;
  return { "1-24-5": a, "1-25-2": b, "1-26-0": 100 - a - b };
}

describe("diffRollouts", () => {
  it("is empty when nothing changes", () => {
    const resolver = compileLines({ production: { old: 75, new: 25 } });

    const diff = diffRollouts(resolver, resolver, fleet);

    expect(diff).toMatchObject({ moves: [], back: [], fewestPossible: 0 });
    expect(diff.perBucket.map(({ namespaces, moves }) => ({ namespaces, moves }))).toEqual([
      { namespaces: 500, moves: 0 },
    ]);
  });

  it("lists which namespaces move in a ramp, per bucket, with counts before and after", () => {
    const before = compileLines({ production: { old: 100 }, ".*-staging": { old: 90, new: 10 } });
    const after = compileLines({ production: { old: 100, new: 0 }, ".*-staging": { old: 50, new: 50 } });

    const { moves, back, perBucket, fewestPossible } = diffRollouts(before, after, fleet);

    expect(moves.every(({ from, to, bucket }) => from === "old" && to === "new" && bucket === ".*-staging")).toBe(true);
    expect(back).toEqual([]);
    expect(fewestPossible).toBe(moves.length);
    expect(perBucket.map(({ bucket, namespaces, moves: count }) => [bucket.pattern, namespaces, count])).toEqual([
      [".*-staging", 167, moves.length],
      ["production", 333, 0],
    ]);
    const staging = perBucket.flatMap(({ revisions }) => revisions).slice(0, 2);
    expect(staging.map(({ revision, before: old, after: now }) => [revision, now - old])).toEqual([
      ["new", moves.length],
      ["old", -moves.length],
    ]);
  });

  it("moves no namespace back, and no more than necessary, in any ramp of one revision against the others", () => {
    const percent = fc.integer({ min: 0, max: 100 });

    fc.assert(
      fc.property(percent, percent, fc.string({ maxLength: 3 }), (a, b, seed) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        // The others keep their ratio of 3 to 1, with shares that are not whole percentages.
        const ramp = (share: number): Lines => ({
          production: { older: (100 - share) * 3, old: 100 - share, new: share * 4 },
        });

        const { moves, back, fewestPossible } = diffRollouts(
          compileLines(ramp(from), seed),
          compileLines(ramp(to), seed),
          fleet,
        );

        expect(moves.filter((move) => move.to !== "new")).toEqual([]);
        expect(back).toEqual([]);
        expect(moves.length).toBe(fewestPossible);
      }),
      { numRuns: 30 },
    );
  });

  it("stays within a tenth of the fewest possible moves between any two distributions of three revisions", () => {
    const lists = Array.from({ length: 24 }, (_, at) => makeWeights(at));
    const diffs = lists.map((weights, at) => {
      const next = lists[(at + 1) % lists.length] ?? weights;
      return diffRollouts(compileLines({ production: weights }), compileLines({ production: next }), fleet);
    });
    const moved = diffs.reduce((sum, { moves }) => sum + moves.length, 0);
    const fewest = diffs.reduce((sum, { fewestPossible }) => sum + fewestPossible, 0);

    expect(moved / fewest).toBeLessThan(1.1);
  });

  it("hardly any namespace is among the first in two upgrades in a row", () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `team-${at}-web`);
    const early = ["1-25-2", "1-26-0"].map((target, at) => {
      const before = ["1-24-5", "1-25-2"][at] ?? "";
      const [whole, ramp] = [{ [before]: 100 }, { [before]: 95, [target]: 5 }];
      const { moves } = diffRollouts(compileLines({ production: whole }), compileLines({ production: ramp }), many);
      return moves.map(({ namespace }) => namespace);
    });
    const again = early[1]?.filter((namespace) => early[0]?.includes(namespace)) ?? [];

    expect(early.every(({ length }) => length > 60 && length < 140)).toBe(true);
    expect(again.length).toBeLessThanOrEqual(5);
  });

  it("counts moves against the ramp: replacing a revision moves other namespaces, too", () => {
    const before = compileLines({ production: { old: 85, "1-25-2": 15, "1-25-3": 0 } });
    const after = compileLines({ production: { old: 85, "1-25-2": 0, "1-25-3": 15 } });

    const { moves, back, fewestPossible, perBucket } = diffRollouts(before, after, fleet);

    expect(back.length).toBeGreaterThan(0);
    expect(back.every(({ from, to }) => from === "old" && to === "1-25-3")).toBe(true);
    expect(moves.length).toBeGreaterThan(fewestPossible);
    expect(perBucket[0]?.back).toBe(back.length);
  });

  it("counts no move of a rollback as back: every namespace leaves a revision that shrinks", () => {
    const [low, high] = [
      compileLines({ production: { old: 95, new: 5 } }),
      compileLines({ production: { old: 75, new: 25 } }),
    ];

    const undo = diffRollouts(high, low, fleet);
    const redo = diffRollouts(low, high, fleet);

    expect(undo.back).toEqual([]);
    expect(undo.moves.map(({ namespace }) => namespace)).toEqual(redo.moves.map(({ namespace }) => namespace));
  });

  it("counts a namespace that changes its bucket in the new one", () => {
    const before = compileLines({ production: { old: 100 } });
    const after = compileLines({ production: { old: 100 }, "team-1-prod": { new: 100 } });

    const { moves, perBucket, fewestPossible } = diffRollouts(before, after, fleet);

    expect(moves).toEqual([{ namespace: "team-1-prod", from: "old", to: "new", bucket: "team-1-prod" }]);
    expect(perBucket[0]).toMatchObject({
      namespaces: 1,
      moves: 1,
      back: 0,
      revisions: [
        { revision: "new", before: 0, after: 1 },
        { revision: "old", before: 1, after: 0 },
      ],
    });
    expect(fewestPossible).toBe(1);
  });

  it("shows the moves that a changed seed makes", () => {
    const lines: Lines = { production: { old: 50, new: 50 } };

    const { moves, back } = diffRollouts(compileLines(lines, "a"), compileLines(lines, "b"), fleet);

    expect(moves.length).toBeGreaterThan(100);
    expect(back).toEqual(moves);
  });
});
