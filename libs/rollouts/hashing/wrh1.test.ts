import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Share } from "../source/types.ts";
import {
  type Candidate,
  findPair,
  findPosition,
  hashSeed,
  isNearer,
  listCandidates,
  measureDistance,
  pickCandidate,
} from "./wrh1.ts";

const key = fc.string({ unit: fc.constantFrom("a", "b", "pay", "-", "0", "7", "π"), minLength: 1, maxLength: 24 });
const seed = fc.string({ maxLength: 6 }).map(hashSeed);
const weight = fc.integer({ min: 1, max: 1_000_000 });
const revision = fc.constantFrom("1-22-0", "1-23-4", "1-24-5", "1-25-2", "1-26-0", "canary");
const shares = fc.uniqueArray(fc.record({ revision, weight }), {
  selector: (one) => one.revision,
  minLength: 1,
  maxLength: 6,
});
const names: readonly string[] = Array.from({ length: 400 }, (_, at) => `team-${at % 37}-svc-${at}-staging`);

function pick(name: string, from: readonly Share[], under: number): string | undefined {
  return pickCandidate(name, listCandidates(from, under))?.revision;
}

function pickAll(from: readonly Share[], under: number): readonly (string | undefined)[] {
  const candidates = listCandidates(from, under);
  return names.map((name) => pickCandidate(name, candidates)?.revision);
}

describe("wrh1", () => {
  it.each([
    { seed: "2026q4", key: "istio-e2e", hash: 1938175239, distances: [28198075, 19185839] },
    { seed: "", key: "payments-api-staging", hash: 0, distances: [21065072, 10198994] },
  ])("gives the published figures for $key under seed `$seed`", ({ seed: text, key: name, hash, distances }) => {
    const candidates = listCandidates(
      [
        { revision: "1-24-5", weight: 75 },
        { revision: "1-25-2", weight: 25 },
      ],
      hashSeed(text),
    );

    expect(hashSeed(text)).toBe(hash);
    expect(candidates.map((candidate) => measureDistance(name, candidate))).toEqual(distances);
    expect(pickCandidate(name, candidates)?.revision).toBe("1-24-5");
  });

  it("does not depend on the order of the shares", () => {
    fc.assert(
      fc.property(
        key,
        seed,
        shares,
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (name, under, given, order) => {
          const permuted = given.map((share) => ({ share, at: order.next().value })).toSorted((a, b) => a.at - b.at);

          expect(
            pick(
              name,
              permuted.map(({ share }) => share),
              under,
            ),
          ).toBe(pick(name, given, under));
        },
      ),
    );
  });

  it("ignores revisions of weight 0, and the sum of the weights", () => {
    fc.assert(
      fc.property(key, seed, shares, fc.integer({ min: 2, max: 50 }), (name, under, given, factor) => {
        const small = given.map((share) => ({ ...share, weight: (share.weight % 1_000) + 1 }));
        const scaled = small.map((share) => ({ ...share, weight: share.weight * factor }));

        expect(pick(name, [{ revision: "1-10-0", weight: 0 }, ...small], under)).toBe(pick(name, small, under));
        expect(pick(name, scaled, under)).toBe(pick(name, small, under));
      }),
    );
  });

  it("gives each revision about its share", () => {
    const picked = pickAll(
      [
        { revision: "1-24-5", weight: 60 },
        { revision: "1-25-2", weight: 30 },
        { revision: "1-26-0", weight: 10 },
      ],
      0,
    );
    const count = (one: string): number => picked.filter((each) => each === one).length / names.length;

    expect(Math.abs(count("1-24-5") - 0.6)).toBeLessThan(0.07);
    expect(Math.abs(count("1-25-2") - 0.3)).toBeLessThan(0.07);
    expect(Math.abs(count("1-26-0") - 0.1)).toBeLessThan(0.05);
  });

  it("in a ramp of one revision namespaces only move to it, whatever the others share, and moves are minimal", () => {
    const others = fc.uniqueArray(fc.record({ revision, weight }), {
      selector: (one) => one.revision,
      minLength: 1,
      maxLength: 4,
    });

    fc.assert(
      fc.property(seed, others, fc.nat(1_000_000), weight, (under, rest, from, more) => {
        const ramped = (to: number): readonly Share[] => [...rest, { revision: "9-9-9", weight: to }];
        const before = pickAll(ramped(from), under);
        const after = pickAll(ramped(Math.min(from + more, 1_000_000)), under);

        const movedTo = new Set(after.filter((now, at) => now !== before[at]));
        expect([...movedTo].filter((to) => to !== "9-9-9")).toEqual([]);
      }),
    );
  });

  it("at a tie picks the smaller name in byte order, which is listed first", () => {
    const tied: readonly Candidate[] = ["1-24-5", "1-25-2", "1-26-0"].map((name) => ({
      revision: name,
      weight: 7,
      seed: 1,
    }));

    expect(pickCandidate("any-name", tied)?.revision).toBe("1-24-5");
    expect(
      listCandidates(
        [
          { revision: "b", weight: 1 },
          { revision: "B", weight: 1 },
        ],
        0,
      ).map((one) => one.revision),
    ).toEqual(["B", "b"]);
  });

  it("needs no hash for a single revision, and has no answer without one", () => {
    expect(
      pick(
        "a",
        [
          { revision: "1-24-5", weight: 100 },
          { revision: "1-25-2", weight: 0 },
        ],
        0,
      ),
    ).toBe("1-24-5");
    expect(pickCandidate("a", [])).toBeUndefined();
  });
});

describe("isNearer", () => {
  it.each([
    { name: "a tie at equal weights", a: [5, 1], b: [5, 1], want: [false, false] },
    { name: "a tie at different weights", a: [10, 2], b: [5, 1], want: [false, false] },
    { name: "nearer by one unit", a: [9, 2], b: [5, 1], want: [true, false] },
    {
      name: "a difference that a division would round away",
      a: [553_648_127, 999_999],
      b: [553_648_128, 999_999],
      want: [true, false],
    },
    {
      name: "the greatest products, equal",
      a: [553_648_128, 1_000_000],
      b: [553_648_128, 1_000_000],
      want: [false, false],
    },
    { name: "a weight of 0 against anything", a: [1, 0], b: [553_648_128, 1], want: [false, true] },
  ])("decides $name", ({ a: [x = 0, v = 0], b: [y = 0, w = 0], want }) => {
    expect([isNearer(x, v, y, w), isNearer(y, w, x, v)]).toEqual(want);
  });
});

describe("position", () => {
  it("is between 0 and 100, and its revision is picked exactly when the share is greater", () => {
    fc.assert(
      fc.property(key, seed, fc.integer({ min: 0, max: 100 }), (name, under, percent) => {
        const given = [
          { revision: "1-25-2", weight: percent },
          { revision: "1-24-5", weight: 100 - percent },
        ];
        const [first, second] = findPair(given, under) ?? [];
        if (first === undefined || second === undefined) throw new Error("two revisions are a pair");
        const position = findPosition(measureDistance(name, first), measureDistance(name, second));

        expect([first.revision, second.revision]).toEqual(["1-24-5", "1-25-2"]);
        expect(position).toBeGreaterThan(0);
        expect(position).toBeLessThan(100);
        expect(pick(name, given, under)).toBe(percent > position ? "1-25-2" : "1-24-5");
      }),
      { numRuns: 2_000 },
    );
  });

  it("is exact where the share equals it, and the tie then goes to the first", () => {
    expect(findPosition(75, 25)).toBe(25);
    expect(isNearer(25, 25, 75, 75)).toBe(false);
    expect(findPosition((553_648_128 / 4) * 3, 553_648_128 / 4)).toBe(25);
  });

  it.each([
    { name: "two revisions with weight", weights: [75, 25], want: ["a", "b"] },
    { name: "two with weight and a third at 0", weights: [75, 0, 25], want: ["a", "c"] },
    { name: "two listed, one at 0", weights: [0, 100], want: ["a", "b"] },
    { name: "three with weight", weights: [50, 25, 25], want: undefined },
    { name: "three listed, one with weight", weights: [100, 0, 0], want: undefined },
    { name: "one", weights: [100], want: undefined },
  ])("is for $name between $want", ({ weights, want }) => {
    const given = weights.map((one, at) => ({ revision: "abc".charAt(at), weight: one })).toReversed();

    expect(findPair(given, 0)?.map((candidate) => candidate.revision)).toEqual(want);
  });
});
