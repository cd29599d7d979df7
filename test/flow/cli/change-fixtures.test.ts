import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { type ClusterSnapshot, compileSpec, proposeMoves, type Spec } from "#libs/plan";
import { editShares, type Finding } from "#libs/rollouts";

import { readSnapshot } from "../../../cli/read/fleet-snapshot.ts";

const fixtures = new URL("../../fixtures/", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, fixtures), "utf8");
const names = readdirSync(new URL("changes/", fixtures)).filter((name) => name.endsWith(".yml"));

function readFleet(): readonly ClusterSnapshot[] {
  const snapshot = readSnapshot(read("fleet/six-clusters.json"));
  if (!snapshot.ok) throw new Error(snapshot.problems.join());
  const known = { ageMs: 0, fresh: true, batch: undefined, batchEndedAt: 0 };
  return snapshot.fleet.clusters.map((each) => ({ ...each, ...known }));
}

function compile(text: string): Spec {
  const compiled = compileSpec("0".repeat(40), text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

/** Findings of the change: those of the edit, or else those of the plan for the edited files. */
function findAll(text: string): readonly Finding[] {
  const asked = JSON.parse(/^# change: (.*)$/mu.exec(text)?.[1] ?? "") as {
    readonly pattern: string;
    readonly shares: Readonly<Record<string, number>>;
  };
  const shares = Object.entries(asked.shares).map(([revision, weight]) => ({ revision, weight }));
  const edited = editShares(text, [{ pattern: asked.pattern, shares }]);
  if (!edited.ok) return edited.findings;
  const { findings, idlePatterns } = proposeMoves(compile(text), compile(edited.text), readFleet(), 0);
  return findings.length > 0 ? findings : idlePatterns;
}

describe("fixtures of changes", () => {
  it.each(names)("%s: the file is valid, and the change has exactly the findings that the fixture names", (name) => {
    const text = read(`changes/${name}`);
    compile(text);
    const findings = findAll(text);
    expect(findings.map(({ code, line, column }) => `${code} ${line}:${column}`).join(" ")).toBe(
      /^# want: (.*)$/mu.exec(text)?.[1],
    );
    expect(name.startsWith((findings[0]?.code ?? "").toLowerCase())).toBe(true);
  });
});
