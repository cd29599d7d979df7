import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRollouts } from "../parse.ts";
import { compileRollouts, type Resolver } from "./resolve.ts";
import type { Bucket, Rollouts } from "../source/types.ts";

function readText(text: string): Rollouts {
  const parsed = parseRollouts(text, "rollouts.yml");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

function compileText(text: string, seed = ""): Resolver {
  return compileRollouts(readText(text), seed);
}

const airbnb = `
production:
  1-24-5: 100
".*-staging":
  1-24-5: 75
  1-25-2: 25
istio-e2e:
  1-25-2: 100
`;

const patternsOf = (buckets: readonly Bucket[]): readonly string[] => buckets.map(({ pattern }) => pattern);

describe("compileRollouts", () => {
  it.each([
    { namespace: "listings", want: { revision: "1-24-5", pattern: "production", reason: "DEFAULT" } },
    { namespace: "istio-e2e", want: { revision: "1-25-2", pattern: "istio-e2e", reason: "TARGETING_MATCH" } },
    { namespace: "payments-api-staging", want: { revision: "1-24-5", pattern: ".*-staging", reason: "SPLIT" } },
    { namespace: "staging", want: { revision: "1-24-5", pattern: "production", reason: "DEFAULT" } },
    { namespace: "production", want: { revision: "1-24-5", pattern: "production", reason: "TARGETING_MATCH" } },
  ])("answers for $namespace in Airbnb's example", ({ namespace, want }) => {
    const { revision, bucket, reason } = compileText(airbnb).resolve(namespace);

    expect({ revision, pattern: bucket.pattern, reason }).toEqual(want);
  });

  it("the longest pattern text wins, so a short pin loses", () => {
    const pins = ["a-staging", "^b-staging$"].map((pattern) => ({
      pattern,
      line: 1,
      column: 1,
      shares: [{ revision: "1-26-0", weight: 100 }],
    }));
    const resolver = compileRollouts({ buckets: [...readText(airbnb).buckets, ...pins] }, "");

    expect(resolver.resolve("a-staging").bucket.pattern).toBe(".*-staging");
    expect(resolver.resolve("b-staging").revision).toBe("1-26-0");
    expect(patternsOf(resolver.matches("b-staging"))).toEqual(["^b-staging$", ".*-staging", "production"]);
  });

  it("1.8 between patterns of equal length the smaller in byte order wins, in any order of the file", () => {
    const small = "pay-.*:\n  1-25-2: 100\n";
    const great = ".*-web:\n  1-26-0: 100\n";
    const production = "production:\n  1-24-5: 100\n";

    for (const text of [production + small + great, great + production + small]) {
      expect(compileText(text).resolve("pay-web").bucket.pattern).toBe(".*-web");
      expect(patternsOf(compileText(text).matches("pay-web"))).toEqual([".*-web", "pay-.*", "production"]);
    }
  });

  it("`production` is both a namespace's name and the bucket for everything else", () => {
    const resolver = compileText(
      "production:\n  1-24-5: 100\nprod.*:\n  1-25-2: 100\n.*produc.*tion.*:\n  1-26-0: 100\n",
    );

    expect(patternsOf(resolver.matches("production"))).toEqual([".*produc.*tion.*", "production", "prod.*"]);
    expect(patternsOf(resolver.matches("prod"))).toEqual(["prod.*", "production"]);
    expect(patternsOf(resolver.matches("else"))).toEqual(["production"]);
  });

  it("does not depend on the order of buckets and shares, nor on shares of 0", () => {
    const reversed: Rollouts = {
      buckets: readText(airbnb)
        .buckets.map((bucket) => ({
          ...bucket,
          shares: [...bucket.shares.toReversed(), { revision: "1-20-0", weight: 0 }],
        }))
        .toReversed(),
    };
    const [given, other] = [compileText(airbnb, "s"), compileRollouts(reversed, "s")];

    for (let at = 0; at < 200; at++) {
      expect(other.resolve(`team-${at}-staging`).revision).toBe(given.resolve(`team-${at}-staging`).revision);
    }
  });

  it("depends on the distribution only: a namespace that changes its bucket does not move", () => {
    const split = "\n  1-24-5: 50\n  1-25-2: 30\n  1-26-0: 20\n";
    const [one, other] = [compileText(`production:${split}`), compileText(`production:\n  1-24-5: 100\n.*-x:${split}`)];

    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "b", "-", "7"), maxLength: 20 }), (stem) => {
        const [a, b] = [one.resolve(`${stem}-x`), other.resolve(`${stem}-x`)];
        expect([a.bucket.pattern, b.bucket.pattern, b.revision]).toEqual(["production", ".*-x", a.revision]);
      }),
    );
  });

  it("another seed assigns namespaces differently", () => {
    const revisions = ["", "2026q4"].map((seed) => {
      const resolver = compileText("production:\n  1-24-5: 50\n  1-25-2: 50\n", seed);
      return Array.from({ length: 64 }, (_, at) => resolver.resolve(`team-${at}`).revision).join();
    });

    expect(revisions[0]).not.toBe(revisions[1]);
  });

  it("refuses what no parser lets through", () => {
    const bucket = { pattern: "a", line: 1, column: 1, shares: [{ revision: "1-24-5", weight: 100 }] };
    const production = { ...bucket, pattern: "production", shares: [{ revision: "1-24-5", weight: 0 }] };

    expect(() => compileRollouts({ buckets: [bucket] }, "")).toThrow(/no bucket `production`/u);
    expect(() => compileRollouts({ buckets: [production] }, "").resolve("a")).toThrow(/no revision of `production`/u);
  });
});

describe("position", () => {
  it("is the percentage at which a namespace moves, for its own bucket and any other", () => {
    const resolver = compileText(`${airbnb}payments-.*:\n  1-24-5: 100\n  1-25-2: 0\n`);
    const answer = resolver.resolve("payments-api-staging");

    expect(answer).toMatchObject({ revision: "1-24-5", reason: "TARGETING_MATCH", positionOf: "1-25-2" });
    expect(answer.position).toBeCloseTo(32.62, 2);
    expect(
      resolver.matches("payments-api-staging").map((bucket) => resolver.position("payments-api-staging", bucket)),
    ).toEqual([answer.position, answer.position, undefined]);
  });

  it("is absent, not undefined, where a bucket has one revision or three", () => {
    const resolver = compileText("production:\n  1-24-5: 100\n.*-x:\n  1-24-5: 40\n  1-25-2: 30\n  1-26-0: 30\n");

    for (const namespace of ["a", "a-x"]) {
      expect(Object.keys(resolver.resolve(namespace))).toEqual(["namespace", "revision", "bucket", "reason"]);
    }
  });

  it("agrees with the answer at every whole percent", () => {
    const ramps = Array.from({ length: 101 }, (_, percent) => ({
      percent,
      resolver: compileText(`production:\n  1-24-5: ${100 - percent}\n  1-25-2: ${percent}\n`),
    }));

    for (let at = 0; at < 40; at++) {
      const { position = -1 } = ramps[0]?.resolver.resolve(`team-${at}`) ?? {};
      for (const { percent, resolver } of ramps) {
        const answer = resolver.resolve(`team-${at}`);
        expect([answer.position, answer.revision === "1-25-2"]).toEqual([position, percent > position]);
      }
    }
  });
});
