import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { compileRollouts } from "#libs/rollouts";
import { generateLines, vectorsFile } from "./generate.ts";

const check = fileURLToPath(new URL("check.py", import.meta.url));
const lines = readFileSync(vectorsFile, "utf8").trimEnd().split("\n");

interface Assignment {
  readonly seed: string;
  readonly key: string;
  readonly dist: readonly (readonly [string, number])[];
  readonly want: string;
  readonly position?: number;
}

function readAssignments(): readonly Assignment[] {
  return lines.filter((line) => line.includes('"want"')).map((line): Assignment => JSON.parse(line));
}

/** Exit code and output of the independent check; on a machine without Python that is all there is to say. */
function runPython(file: string): string {
  const run = spawnSync("python3", [check, file], { encoding: "utf8" });
  if (run.error !== undefined && "code" in run.error && run.error.code === "ENOENT") return "no python3";
  return `${run.status}: ${run.stdout.trim()}${run.stderr.trim()}`;
}

describe("wrh1.jsonl", () => {
  it("is what the code computes today: a difference would move namespaces of every fleet", () => {
    expect(lines).toEqual(generateLines());
  });

  it("holds what assignments can trip over", () => {
    const assignments = readAssignments();

    expect(assignments.length).toBeGreaterThanOrEqual(300);
    // oxlint-disable-next-line no-control-regex -- all of ASCII
    expect(assignments.filter(({ key }) => /[^\0-\x7F]/u.test(key)).length).toBeGreaterThan(50);
    expect(assignments.some(({ dist }) => dist.some(([, weight]) => weight === 999_999))).toBe(true);
    expect(assignments.some(({ dist }) => dist.some(([, weight]) => weight === 0))).toBe(true);
  });

  it("says what the resolver answers", () => {
    for (const { seed, key, dist, want, position } of readAssignments()) {
      const shares = dist.map(([revision, weight]) => ({ revision, weight }));
      const resolver = compileRollouts({ buckets: [{ pattern: "production", line: 1, column: 1, shares }] }, seed);
      const answer = resolver.resolve(key);

      expect([key, answer.revision, answer.position]).toEqual([key, want, position]);
    }
  });

  it("is confirmed by Python, which shares no code with us", () => {
    const confirmed = `0: ${readAssignments().length} assignments, ${lines.length} lines: all equal`;

    expect([confirmed, "no python3"]).toContain(runPython(fileURLToPath(vectorsFile)));
  });

  it("would not be confirmed with a single digit changed", () => {
    const folder = mkdtempSync(join(tmpdir(), "meshroll-vectors-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const changed = join(folder, "changed.jsonl");
    writeFileSync(changed, lines.join("\n").replace('"L":[', '"L":[1'));

    expect(runPython(changed)).toMatch(/^1: line 5: L: |^no python3$/u);
  });
});
