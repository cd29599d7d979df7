import { describe, expect, it } from "vitest";

import { parseSettings } from "../settings-file/parse-settings.ts";
import { builtInSettings, type Settings } from "../settings/settings.ts";

function parse(text: string): Settings {
  const parsed = parseSettings(text, "meshroll.yml");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

describe("rollbacks, approvals and excluded clusters", () => {
  it("2.3 a rollback moves in the file's batches, except for the fields of its own", () => {
    const text = "defaults:\n  batch: {batchSize: 7, readinessTimeout: 2m}\n";
    expect(parse(text).rollbackBatch).toEqual(parse(text).batch);
    const own = parse(`${text}  rollback: {batch: {readinessTimeout: 1m}}\n`);
    expect(own.rollbackBatch).toEqual({ ...own.batch, readinessTimeout: 60_000 });
  });

  const approvals: readonly { name: string; text: string; want: number }[] = [
    { name: "none", text: "approvals: 0", want: 0 },
    { name: "ten", text: "approvals: 10", want: 10 },
    { name: "as a campaign writes them", text: "approvals: { required: 3 }", want: 3 },
  ];
  it.each(approvals)("reads approvals: $name", ({ text, want }) => {
    expect(parse(`defaults:\n  ${text}\n`).approvals.required).toBe(want);
  });

  it("6.1 clusters without `excluded` are not excluded", () => {
    expect(parse("clusters: {a: {excluded: false}, b: {}}\n").excludedClusters).toEqual([]);
  });

  it("reads where a cluster's control planes run, under any cluster name", () => {
    const place = "{cluster: mgmt, namespace: mesh, label: app.kubernetes.io/name=istiod}";
    const text = `clusters: {constructor: {controlPlane: ${place}}, b: {excluded: true}}\n`;
    const { controlPlanes, excludedClusters } = parse(text);
    expect(Object.entries(controlPlanes)).toEqual([
      ["constructor", { cluster: "mgmt", namespace: "mesh", label: "app.kubernetes.io/name=istiod" }],
    ]);
    expect(excludedClusters).toEqual(["b"]);
  });

  it("reads what becomes of drift in the fleet, in buckets and in clusters", () => {
    const text =
      'defaults: {drift: report}\nbuckets:\n  ".*-staging": {drift: converge}\nclusters: {a: {drift: report}}\n';
    const { fleet, buckets, clusters } = parse(text).drift;
    expect([fleet, [...buckets], [...clusters]]).toEqual([
      "report",
      [[".*-staging", { policy: "converge", place: { line: 3, column: 3 } }]],
      [["a", "report"]],
    ]);
  });

  it("warns that a rollback ignores limits of failures", () => {
    const text = "defaults:\n  rollback:\n    batch: {batchSize: 2, maxFailures: 2, maxUnavailable: 1}\n";
    const parsed = parseSettings(text, "meshroll.yml");
    expect(parsed).toMatchObject({ ok: true, value: { rollbackBatch: { ...builtInSettings.batch, batchSize: 2 } } });
    expect(parsed.findings.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ["MR3011", "warning", 3],
      ["MR3011", "warning", 3],
    ]);
  });

  const cases: readonly { name: string; text: string; want: readonly string[]; wantText?: RegExp }[] = [
    {
      name: "a control plane's label without its value",
      text: "clusters: {a: {controlPlane: {label: istiod}}}\n",
      want: ["MR3002 1:38"],
    },
    { name: "an empty control plane", text: "clusters: {a: {controlPlane: {}}}\n", want: ["MR3002 1:30"] },
    { name: "more approvals than a team gives", text: "defaults:\n  approvals: 11\n", want: ["MR3002 2:14"] },
    {
      name: "approvals by no one in particular",
      text: "defaults:\n  approvals: {required: 1, from: [x]}\n",
      want: ["MR2006 2:35"],
      wantText: /team:<slug>/,
    },
    { name: "a context as a cluster", text: "clusters:\n  arn:x/y: {excluded: true}\n", want: ["MR3010 2:3"] },
    {
      name: "a bucket that says nothing",
      text: "buckets: {production: {}}\n",
      want: ["MR3002 1:23"],
      wantText: /needs `drift`/,
    },
    { name: "buckets without any", text: "buckets:\n", want: ["MR3002 1:1"] },
    { name: "drift at the top", text: "drift: converge\n", want: ["MR3001 1:1"], wantText: /in a bucket of `buckets`/ },
    { name: "clusters without any", text: "clusters:\n", want: ["MR3002 1:1"] },
    { name: "a list of clusters", text: "clusters: [a]\n", want: ["MR3002 1:11"] },
  ];
  it.each(cases)("refuses $name", ({ text, want, wantText = /./ }) => {
    const { ok, findings } = parseSettings(text, "meshroll.yml");
    expect(findings.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(want);
    expect(ok).toBe(false);
    expect(`${findings[0]?.message}; ${findings[0]?.help}`).toMatch(wantText);
  });
});
