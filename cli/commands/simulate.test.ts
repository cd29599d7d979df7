import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { makeFolder, runCli } from "#test/run-cli";

import { readSnapshot } from "../read/fleet-snapshot.ts";

const fixtures = fileURLToPath(new URL("../../test/fixtures/", import.meta.url));
const fleet = `${fixtures}fleet/six-clusters.json`;
const files = ["--file", `${fixtures}campaigns/rollouts.yml`, "--start", "2026-11-09T09:00+01:00", "--tz", "UTC"];
const campaign = `${fixtures}campaigns/istio-1-25.yml`;

async function simulate(...more: readonly string[]) {
  return runCli(["simulate", campaign, "--fleet", fleet, ...files, "--runs", "2", ...more]);
}

interface Printed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly status: {
    readonly outcome: string;
    readonly stages: readonly { readonly name: string; readonly startedAt?: string }[];
    readonly reason?: { readonly code: string };
    readonly spread: { readonly runs: number; readonly complete: number };
  };
}

describe("simulate", () => {
  it("prints a line for each stage, and everything within 80 columns", async () => {
    const { code, stdout } = await simulate();
    const lines = stdout.split("\n");
    expect(code).toBe(0);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.filter((line) => /^(preflight|staging-\d+|prod-\d+|payments) /u.test(line))).toHaveLength(8);
    expect(stdout).toMatch(/^Ends .* with seed 1\.$/mu);
  });

  it("prints the same as versioned JSON", async () => {
    const { code, stdout } = await simulate("-o", "json");
    const printed = JSON.parse(stdout) as Printed;
    expect(code).toBe(0);
    expect(printed).toMatchObject({ apiVersion: "meshroll.dev/v1", kind: "Simulation" });
    expect(printed.status).toMatchObject({ outcome: "complete", spread: { runs: 2, complete: 2 } });
    expect(printed.status.stages[3]).toMatchObject({ name: "prod-5", startedAt: "2026-11-11T08:00:00.000Z" });
    expect(printed.status.stages.every((stage) => "bakedAt" in stage)).toBe(true);
  });

  it("ends with 80 when a failure stops the campaign, and says which", async () => {
    const { code, stdout } = await simulate("--fail", "listings-web/Deployment/api");
    expect(code).toBe(80);
    expect(stdout).toMatch(/Does not end.*prod-50/u);
    expect(stdout).toContain("listings-web/Deployment/api");
    expect(stdout).not.toContain("run/51");
  });

  it("ends with 81 when it would wait for a person for ever", async () => {
    const [migrated, missing] = [true, false].map((webhook) => `{"name":"1-25-2","webhook":${webhook}`);
    const text = readFileSync(fleet, "utf8").replaceAll(migrated!, missing!);
    const path = join(makeFolder({ "fleet.json": text }), "fleet.json");
    const { code, stdout } = await runCli(["simulate", campaign, "--fleet", path, ...files, "--runs", "1"]);
    expect(code).toBe(81);
    expect(stdout).toMatch(/waits for the mesh operator/u);
  });

  it("writes what it read to a file that it reads again", async () => {
    const path = join(makeFolder({}), "saved.json");
    const { stderr } = await simulate("--save", path);
    const [saved, original] = [path, fleet].map((each) => readSnapshot(readFileSync(each, "utf8")));
    expect(stderr).toBe(`saved 6 clusters to ${path}\n`);
    expect(saved).toEqual(original);
  });

  it.each([
    { args: ["--fail", "listings-web"], wantErr: /not a workload/u, wantCode: 64 },
    { args: ["--fail", "absent/Deployment/api"], wantErr: /no cluster of the fleet has it/u, wantCode: 64 },
    { args: ["--fail", "listings-web/Deployment/api@prod-7"], wantErr: /no stage is named prod-7/u, wantCode: 64 },
    { args: ["--start", "2026-11-09T09:00"], wantErr: /not a time with a zone/u, wantCode: 64 },
    { args: ["--runs", "0"], wantErr: /not a count from 1 to 1000/u, wantCode: 64 },
    { args: ["--ready", "soon"], wantErr: /not a duration/u, wantCode: 64 },
    { args: ["--tz", "Middle/Earth"], wantErr: /there is no such time zone/u, wantCode: 64 },
    { args: ["--fleet", "nowhere.json"], wantErr: /nowhere\.json cannot be read/u, wantCode: 65 },
    { args: ["--fleet", campaign], wantErr: /is\s+not\s+a\s+saved\s+fleet:\s+it\s+is\s+no\s+JSON/u, wantCode: 65 },
    { args: ["--settings", "nowhere.yml"], wantErr: /there is no such file/u, wantCode: 65 },
  ])("refuses $args", async ({ args, wantErr, wantCode }) => {
    const { code, stderr } = await simulate(...args);
    expect(stderr).toMatch(wantErr);
    expect(code).toBe(wantCode);
  });
});

interface Snapshot {
  kind: string;
  clusters: { facts: { cluster: string }; namespaces: { workloads: { replicas: unknown }[] }[] }[];
}

describe("a fleet as a file", () => {
  const cases: readonly { name: string; change: (snapshot: Snapshot) => void; want: RegExp }[] = [
    { name: "another kind", change: (each) => (each.kind = "Fleet"), want: /^kind: / },
    { name: "no clusters", change: (each) => (each.clusters = []), want: /^clusters: / },
    {
      name: "a cluster with an invalid name",
      change: (each) => (each.clusters[0]!.facts.cluster = "arn:aws"),
      want: /^clusters\[0\]\.facts\.cluster: a cluster is named by/,
    },
    {
      name: "a wrong number",
      change: (each) => (each.clusters[1]!.namespaces[2]!.workloads[0]!.replicas = "three"),
      want: /^clusters\[1\]\.namespaces\[2\]\.workloads\[0\]\.replicas: /,
    },
    {
      name: "a cluster twice",
      change: (each) => each.clusters.push(each.clusters[0]!),
      want: /^clusters: stage-use1 is there twice$/,
    },
    {
      name: "a namespace twice",
      change: (each) => each.clusters[0]!.namespaces.push(each.clusters[0]!.namespaces[0]!),
      want: /^clusters\[0\]\.namespaces: a namespace of stage-use1 is there twice$/,
    },
  ];

  it.each(cases)("with $name is refused, with its place", ({ change, want }) => {
    const snapshot = JSON.parse(readFileSync(fleet, "utf8")) as Snapshot;
    change(snapshot);
    const read = readSnapshot(JSON.stringify(snapshot));
    expect(read.ok ? [] : read.problems[0]).toMatch(want);
  });

  it("an edited one is sorted as executors publish it", () => {
    const original = readFileSync(fleet, "utf8");
    const snapshot = JSON.parse(original) as { clusters: { namespaces: { workloads: unknown[] }[] }[] };
    for (const { namespaces } of snapshot.clusters) for (const { workloads } of namespaces) workloads.reverse();
    const edited = JSON.stringify(snapshot);
    expect(edited).not.toBe(JSON.stringify(JSON.parse(original)));
    expect(readSnapshot(edited)).toEqual(readSnapshot(original));
  });
});
