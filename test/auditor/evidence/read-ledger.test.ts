import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { readHistory } from "./read-history.ts";
import { readLedger } from "./read-ledger.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "meshroll-auditor-"));
  execFileSync("git", ["init", "--quiet", "--bare", folder]);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Commits files to a branch, each at its second; later ones build on earlier ones, and undefined deletes. */
function write(
  branch: string,
  commits: readonly (readonly [second: number, files: Readonly<Record<string, object | string | undefined>>])[],
) {
  const parts = commits.map(([second, files]) => {
    const who = `ana <ana@example.com> ${second} +0000`;
    const lines = Object.entries(files).map(([path, value]) => {
      if (value === undefined) return `D ${path}\n`;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
    });
    return `commit ${branch}\nauthor ${who}\ncommitter ${who}\ndata 1\nx\n${lines.join("")}\n`;
  });
  execFileSync("git", ["--git-dir", folder, "fast-import", "--quiet"], { input: parts.join("") });
}

const stop = { id: "s", scope: "all", strength: "move" };
const run = { id: "r", state: "open" };

test("a stop counts from the end of the second in which it was recorded to the begin of the one of its lift", () => {
  write("refs/heads/meshroll/ledger", [
    [100, { "stops/s.json": stop, "runs/r.json": run }],
    [120, { "stops/h.json": { ...stop, id: "h", scope: "bucket/production", returnOf: "r" } }],
    [130, { "stops/s.json": { ...stop, lift: { at: "then" } } }],
  ]);
  expect(readLedger(folder, (at) => at).stops).toEqual([
    { id: "s", scope: "all", strength: "move", at: 100_999, liftedAt: 130_000 },
    { id: "h", scope: "bucket/production", strength: "move", returnOf: "r", at: 120_999 },
  ]);
});

test("a run is what the branch ends with: its state, whom it named, what was tried again", () => {
  const aside = [{ cluster: "one", workload: "a/Deployment/web", reason: "ReadinessTimeout" }];
  write("refs/heads/meshroll/ledger", [
    [100, { "runs/r.json": run }],
    [110, { "runs/r.json": { ...run, state: "done", retried: { "one:a/*": 1 }, outcome: { aside } } }],
  ]);
  expect(readLedger(folder, (at) => at).runs).toEqual([
    { id: "r", state: "done", retried: { "one:a/*": 1 }, aside: ["one:a/Deployment/web"] },
  ]);
});

test("without a ledger nothing was recorded", () => {
  expect(readLedger(folder, (at) => at)).toEqual({ stops: [], runs: [] });
});

test("git's seconds become the clusters' time, and heads that a forced push took away still count", () => {
  write("refs/heads/main", [
    [100, { "rollouts.yml": { production: { old: 100 } } }],
    [110, { "rollouts.yml": { production: { new: 100 } } }],
  ]);
  const former = execFileSync("git", ["--git-dir", folder, "rev-parse", "refs/heads/main"], {
    encoding: "utf8",
  }).trim();
  execFileSync("git", ["--git-dir", folder, "update-ref", "refs/heads/main", `${former}~1`]);
  const commits = readHistory(folder, (at) => at * 10, [former]);
  expect(commits.map(({ at, atLatest }) => [at, atLatest])).toEqual([
    [0, 0],
    [1_100_000, 1_109_990],
  ]);
});

test("a run's list is what its pull request's head listed, also when the plan is gone from the tree", () => {
  const listed = { ...run, state: "done", campaign: "up", stage: "all", list: "abc" };
  const outcome = { aside: [], differences: [{ cluster: "one", workload: "shop/Deployment/b" }] };
  const plan = "# {}\nshop\tproduction\told\tnew\tone\tshop/Deployment/a\n";
  write("refs/heads/meshroll/ledger", [
    [100, { "runs/r.json": { ...listed, outcome }, "plans/abc.tsv": plan }],
    [102, { "plans/abc.tsv": undefined }],
  ]);
  const [read] = readLedger(folder, (at) => at).runs;
  expect([read?.campaign, read?.stage, read?.list, read?.differences]).toEqual([
    "up",
    "all",
    ["one:shop/Deployment/a"],
    ["one:shop/Deployment/b"],
  ]);
});
