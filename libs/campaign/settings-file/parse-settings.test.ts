import { describe, expect, it } from "vitest";

import { parseSettings } from "./parse-settings.ts";
import { builtInSettings, type Settings } from "../settings/settings.ts";

function parse(text: string): Settings {
  const parsed = parseSettings(text, "meshroll.yml");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

const batch = (line: string): string => `defaults:\n  batch:\n    ${line}\n`;

describe("parseSettings: valid files", () => {
  it("gives the built-in values for an empty file, a comment and an empty document", () => {
    for (const text of ["", "# nothing yet\n", "---\n", "# a\n\n---\n", "\uFEFF", "{}\n"])
      expect(parse(text)).toEqual(builtInSettings);
  });

  it("reads every field", () => {
    const text = `
namespaces:
  selector: team=a,env!=test
assignment: { algorithm: wrh1, seed: 2026q4 }
defaults:
  strategy: Window
  onWorkloadFailure: leave
  batch:
    batchSize: 5
    readinessTimeout: 10m
    maxUnavailable: 2%
    failurePolicy: ContinueOnError
    maxFailures: 3
    maxAttempts: 2
  approvals: 2
  rollback:
    batch: { batchSize: 20, delayBetweenBatches: 0s }
clusters:
  prod-b: { excluded: true }
  prod-c: { excluded: false }
  prod-a: { excluded: true }
`;
    expect(parse(text)).toEqual({
      ...builtInSettings,
      seed: "2026q4",
      selector: {
        text: "team=a,env!=test",
        requirements: [
          { key: "team", operator: "In", values: ["a"] },
          { key: "env", operator: "NotIn", values: ["test"] },
        ],
      },
      strategy: "Window",
      onWorkloadFailure: "leave",
      batch: {
        batchSize: 5,
        delayBetweenBatches: 30_000,
        readinessTimeout: 600_000,
        maxUnavailable: { percent: 2 },
        failurePolicy: "ContinueOnError",
        maxFailures: 3,
        maxAttempts: 2,
      },
      rollbackBatch: {
        batchSize: 20,
        delayBetweenBatches: 0,
        readinessTimeout: 600_000,
        maxUnavailable: { percent: 2 },
        failurePolicy: "ContinueOnError",
        maxFailures: 3,
        maxAttempts: 2,
      },
      approvals: { required: 2, from: [], allowAuthor: false },
      rollback: { on: [], scope: "stage", mode: "pr", batch: { batchSize: 20, delayBetweenBatches: 0 } },
      excludedClusters: ["prod-a", "prod-b"],
    });
  });

  const selectors: readonly { name: string; text: string; want: string }[] = [
    { name: "one line", text: "namespaces:\n  selector: tier in (b,a),!legacy\n", want: "tier in (a,b),!legacy" },
    {
      name: "matchLabels",
      text: "namespaces: {selector: {matchLabels: {team: a, tier: gold}}}\n",
      want: "team=a,tier=gold",
    },
    {
      name: "matchExpressions",
      text: [
        "namespaces:",
        "  selector:",
        "    matchExpressions:",
        "      - {key: tier, operator: NotIn, values: [b, a]}",
        "      - key: x",
        "        operator: Exists",
      ].join("\n"),
      want: "tier notin (a,b),x",
    },
    { name: "everything", text: 'namespaces:\n  selector: ""\n', want: "" },
    { name: "an empty mapping", text: "namespaces:\n  selector: {}\n", want: "" },
  ];
  it.each(selectors)("reads a selector written as $name", ({ text, want }) => {
    expect(parse(text).selector?.text).toBe(want);
  });

  it("takes maxFailures alone as a limit of failures, since FailFast would contradict it", () => {
    expect(parse(batch("maxFailures: 1%")).batch).toMatchObject({
      failurePolicy: "ContinueOnError",
      maxFailures: { percent: 1 },
    });
    expect(parse(batch("maxAttempts: 2")).batch.failurePolicy).toBe("FailFast");
  });

  it("warns that Window ignores delayBetweenBatches", () => {
    const parsed = parseSettings("defaults:\n  strategy: Window\n  batch: {delayBetweenBatches: 1m}\n", "meshroll.yml");
    expect(parsed.ok).toBe(true);
    expect(parsed.findings).toMatchObject([{ code: "MR3008", severity: "warning", line: 2, column: 13 }]);
  });
});

interface BadCase {
  readonly name: string;
  readonly text: string;
  /** `code line:column` of each finding. */
  readonly want: readonly string[];
  readonly wantText?: RegExp;
}

describe("parseSettings: invalid files", () => {
  const cases: readonly BadCase[] = [
    {
      name: "a field of another level",
      text: "batchSize: 3\n",
      want: ["MR3001 1:1"],
      wantText: /belongs in `defaults.batch`/,
    },
    { name: "a name of Object", text: "toString: 3\n", want: ["MR3001 1:1"], wantText: /accepted here: namespaces/ },
    { name: "__proto__", text: "__proto__: {seed: a}\n", want: ["MR3001 1:1"] },
    { name: "a list at the top", text: "- a\n", want: ["MR3002 1:1"], wantText: /the file must hold fields/ },
    { name: "text at the top", text: "batched\n", want: ["MR3002 1:1"] },
    { name: "an empty mapping", text: "defaults:\n", want: ["MR3002 1:1"], wantText: /`defaults` is empty/ },
    { name: "a field without value", text: batch("batchSize:"), want: ["MR3002 3:5"], wantText: /has no value/ },
    { name: "a batch of 0", text: batch("batchSize: 0"), want: ["MR3002 3:16"], wantText: /at least 1/ },
    {
      name: "a number in quotes",
      text: batch('batchSize: "5"'),
      want: ["MR3002 3:16"],
      wantText: /leave out the quotes/,
    },
    { name: "a hexadecimal number", text: batch("batchSize: 0x10"), want: ["MR3002 3:16"] },
    { name: "a number with exponent", text: batch("batchSize: 1e3"), want: ["MR3002 3:16"] },
    { name: "a number with leading zero", text: batch("batchSize: 010"), want: ["MR3002 3:16"] },
    { name: "a fraction", text: batch("maxAttempts: 1.5"), want: ["MR3002 3:18"] },
    { name: "a limit that lets nothing move", text: batch("maxUnavailable: 0%"), want: ["MR3002 3:21"] },
    { name: "more than all", text: batch("maxFailures: 101%"), want: ["MR3002 3:18"] },
    {
      name: "a duration without unit",
      text: batch("readinessTimeout: 30000"),
      want: ["MR3004 3:23"],
      wantText: /give it a unit/,
    },
    { name: "a fraction of an hour", text: batch("readinessTimeout: 1.5h"), want: ["MR3004 3:23"] },
    { name: "a timeout of 0", text: batch("readinessTimeout: 0s"), want: ["MR3004 3:23"], wantText: /at least 1s/ },
    {
      name: "another strategy",
      text: "defaults:\n  strategy: OnDelete\n",
      want: ["MR3002 2:13"],
      wantText: /OnDeploy/,
    },
    { name: "another algorithm", text: "assignment: {algorithm: ketama}\n", want: ["MR3002 1:25"] },
    {
      name: "a seed that looks like a number",
      text: "assignment:\n  seed: 1.20\n",
      want: ["MR3002 2:9"],
      wantText: /"1.20"/,
    },
    { name: "a seed that looks like a boolean", text: "assignment:\n  seed: no\n", want: ["MR3002 2:9"] },
    { name: "a seed with blanks", text: "assignment:\n  seed: a b\n", want: ["MR3002 2:9"] },
    { name: "a seed that is a list", text: "assignment:\n  seed: [a]\n", want: ["MR3002 2:9"] },
    { name: "a field written twice", text: "assignment:\n  seed: a\n  seed: b\n", want: ["MR3003 3:3"] },
    { name: "a selector without value", text: "namespaces:\n  selector:\n", want: ["MR3005 2:3"] },
    { name: "a selector that is a list", text: "namespaces:\n  selector: [a]\n", want: ["MR3005 2:13"] },
    {
      name: "a selector with a slip",
      text: "namespaces:\n  selector: team=a tier=b\n",
      want: ["MR3005 2:20"],
      wantText: /needs `,`, not `tier`/,
    },
    { name: "a quoted selector with a slip", text: 'namespaces:\n  selector: "a>3"\n', want: ["MR3005 2:15"] },
    {
      name: "a label value that is a number",
      text: "namespaces: {selector: {matchLabels: {a: 1}}}\n",
      want: ["MR3002 1:42"],
    },
    { name: "an invalid label", text: "namespaces: {selector: {matchLabels: {-a: x}}}\n", want: ["MR3005 1:39"] },
    {
      name: "an operator without values",
      text: "namespaces: {selector: {matchExpressions: [{key: a, operator: In}]}}\n",
      want: ["MR3005 1:44"],
    },
    {
      name: "values without use",
      text: "namespaces: {selector: {matchExpressions: [{key: a, operator: Exists, values: [b]}]}}\n",
      want: ["MR3005 1:44"],
    },
    {
      name: "everything at once",
      text: "a: 1\nassignment: {seed: 1}\nb: 2\n",
      want: ["MR3001 1:1", "MR3002 2:20", "MR3001 3:1"],
    },
  ];
  it.each(cases)("refuses $name", ({ text, want, wantText }) => {
    const parsed = parseSettings(text, "meshroll.yml");
    expect(parsed.findings.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(want);
    expect(parsed.ok).toBe(false);
    const first = parsed.findings[0];
    expect(`${first?.message}; ${first?.help}`).toMatch(wantText ?? /./);
  });

  it("lists at most 50 findings", () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `x${index}: 1\n`);
    expect(parseSettings(lines.join(""), "meshroll.yml").findings).toHaveLength(50);
  });

  const hostile: readonly { name: string; text: string | Uint8Array }[] = [
    { name: "deep nesting", text: "[".repeat(100_000) },
    { name: "complex keys", text: "? ".repeat(500) },
    { name: "lists in lists", text: `${"- ".repeat(10_000)}\n` },
    { name: "a flood of errors", text: `[${",".repeat(1000)}]` },
    { name: "an alias", text: "defaults: &a {strategy: Batched}\nassignment: *a\n" },
    { name: "a tag", text: "assignment: {seed: !!binary aGk=}\n" },
    { name: "a directive", text: "%YAML 1.1\n---\nassignment: {seed: a}\n" },
    { name: "2 MB", text: `# ${"x\n# ".repeat(500_000)}` },
    { name: "NUL", text: "assignment: {seed: a\0}\n" },
    { name: "bytes that are not UTF-8", text: new Uint8Array([0xff, 0xfe, 0x41]) },
  ];
  it.each(hostile)("refuses $name, with the place", ({ text }) => {
    const parsed = parseSettings(text, "meshroll.yml");
    expect(parsed.ok).toBe(false);
    expect(parsed.findings[0]).toMatchObject({ code: expect.stringMatching(/^MR(10\d\d|3009)$/), severity: "error" });
    expect(JSON.stringify(parsed.findings)).not.toMatch(/bucket|rollouts\.yml/);
  });
});
