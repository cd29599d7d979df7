import { describe, expect, it, test } from "vitest";
import { findTies } from "./ties.ts";
import type { Rollouts } from "../source/types.ts";

function makeRollouts(...patterns: readonly string[]): Rollouts {
  return {
    buckets: ["production", ...patterns].map((pattern, at) => ({
      pattern,
      line: at + 1,
      column: 1,
      shares: [{ revision: "1-24-5", weight: 100 }],
    })),
  };
}

const cases: readonly {
  readonly name: string;
  readonly patterns: readonly string[];
  readonly fleet: readonly string[];
  readonly want: readonly string[];
}[] = [
  {
    name: "one namespace that both match",
    patterns: ["pay-.*", ".*-web"],
    fleet: ["pay-web", "a"],
    want: ["2: pay-.* .*-web"],
  },
  { name: "a longer pattern that decides", patterns: ["pay-.*", ".*-web", "^pay-web$"], fleet: ["pay-web"], want: [] },
  {
    name: "three of equal length, each against the winner",
    patterns: ["pay-.*", ".*-web", ".*-we."],
    fleet: ["pay-web"],
    want: ["2: pay-.* .*-we.", "3: .*-web .*-we."],
  },
  { name: "a literal production", patterns: [".*duction"], fleet: ["production"], want: [] },
  {
    name: "a literal production with a rival",
    patterns: [".*oduction"],
    fleet: ["production", "x"],
    want: ["1: production .*oduction"],
  },
];

describe("findTies", () => {
  it.each(cases)("1.8 reports for $name: $want", ({ patterns, fleet, want }) => {
    const rollouts = makeRollouts(...patterns);
    const findings = findTies(rollouts, fleet);

    const lines = new Map(rollouts.buckets.map(({ pattern, line }) => [line, pattern]));
    expect(
      findings.map(({ line, related }) => `${line}: ${lines.get(line)} ${lines.get(related?.[0]?.line ?? 0)}`),
    ).toEqual(want);
    expect(findings.every(({ code, severity }) => code === "MR1007" && severity === "error")).toBe(true);
  });

  it("names the tie, the namespace and the fix", () => {
    const fleet = ["pay-a-web", "pay-b-web", "pay-c-web", "pay-d-web", "pay-e-web"];

    expect(findTies(makeRollouts("pay-.*", "^.*web$"), fleet, "mesh.yml")).toEqual([]);
    expect(findTies(makeRollouts("pay-.*", ".*web$"), fleet, "mesh.yml")).toEqual([
      {
        code: "MR1007",
        severity: "error",
        file: "mesh.yml",
        line: 2,
        column: 1,
        length: 6,
        message: "`pay-.*` and `.*web$` are equally long and both match `pay-a-web` and 4 more",
        label: "6 characters",
        related: [{ line: 3, column: 1, length: 6, message: "6 characters, wins by byte order" }],
        note: "the longest matching pattern decides; it is not clear which for `pay-a-web`, `pay-b-web`, `pay-c-web` and 2 more",
        help: "write the one that should win longer: `^pay-.*$` or `^(?:.*web)$`",
      },
    ]);
  });
});

test("1.8 a list of thousands of patterns that tie in every name is limited", () => {
  const patterns = Array.from({ length: 2000 }, (_, index) => `.*${String(index).padStart(4, "0")}?.*`);
  const fleet = Array.from(
    { length: 100 },
    (_, index) => `a-${Array.from({ length: 10 }, (_, at) => `${index}${at}`).join("")}`,
  );
  const findings = findTies(makeRollouts(...patterns), fleet);
  expect(findings.length).toBeLessThanOrEqual(51);
  expect(findings.at(-1)).toMatchObject({ code: "MR1015", severity: "note" });
});
