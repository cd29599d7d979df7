import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { AuditedLedger } from "../evidence.ts";
import { readGit } from "./read-git.ts";
import { readLedger } from "./read-ledger.ts";
import { readMain } from "./read-main.ts";
import type { RecordedPush } from "./recorded-repository.ts";

let folder = "";
let pushes: RecordedPush[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "meshroll-auditor-"));
  pushes = [];
  execFileSync("git", ["init", "--quiet", "--bare", folder]);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  return execFileSync("git", ["--git-dir", folder, ...args], { encoding: "utf8" }).trim();
}

type Files = Readonly<Record<string, object | string | undefined>>;

/**
 * A push: the files that it changes (undefined deletes), and when the server saw it begin and end. The commits carry another
 * date.
 */
function push(branch: string, from: number, until: number, files: Files, by = "ana"): string {
  const who = "ana <ana@example.com> 1000000000 +0000";
  const ref = `refs/heads/${branch}`;
  const before = git("for-each-ref", "--format=%(objectname)", ref);
  const lines = Object.entries(files).map(([path, value]) => {
    if (value === undefined) return `D ${path}\n`;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  });
  const parent = before === "" ? "" : `from ${before}\n`;
  const input = `commit ${ref}\nauthor ${who}\ncommitter ${who}\ndata 1\nx\n${parent}${lines.join("")}\n`;
  execFileSync("git", ["--git-dir", folder, "fast-import", "--quiet"], { input });
  const after = git("rev-parse", ref);
  pushes.push({ branch, ...(before === "" ? {} : { before }), after, from, until, by });
  return after;
}

const ledgerBranch = "meshroll/ledger";

function read(): AuditedLedger {
  const ledger = readLedger(readGit(folder, pushes));
  if (ledger === "none") throw new Error("there is no ledger");
  return ledger;
}

const stop = { id: "s", scope: "all", strength: "move", who: "ana" };
const run = { id: "r", state: "open" };

test("a stop begins at the latest time of its record and ends at the earliest time of its resume; dates of commits do not count", () => {
  push(ledgerBranch, 100, 104, { "stops/s.json": stop, "runs/r.json": run });
  push(ledgerBranch, 120, 125, { "stops/h.json": { ...stop, id: "h", scope: "bucket/production", rollbackOf: "r" } });
  push(ledgerBranch, 130, 136, { "stops/s.json": { ...stop, resume: { at: "then" } } });
  expect(read().stops).toEqual([
    { id: "s", scope: "all", strength: "move", who: "ana", at: 104, resumedAt: 130 },
    { id: "h", scope: "bucket/production", strength: "move", who: "ana", rollbackOf: "r", at: 125 },
  ]);
});

test("a run that a retry opened again keeps each earlier end, with the latest time at which it was open again", () => {
  const done = { ...run, state: "done" };
  for (const [at, record] of [run, done, { ...done, archived: "facts" }, run, done].entries())
    push(ledgerBranch, 100 + at * 10, 105 + at * 10, { "runs/r.json": record });
  const [seen] = read().runs;
  expect([seen?.earlierEnds, seen?.endedAt, seen?.endedAtLatest]).toEqual([
    [{ endedAt: 110, reopenedAt: 135 }],
    140,
    145,
  ]);
});

test("a run has its last state on the branch, the workloads it named, its retries, and the times of its records", () => {
  const skipped = [{ cluster: "one", workload: "a/Deployment/web", reason: "ReadinessTimeout" }];
  const errors = { errors: { verdict: "fail" } };
  push(ledgerBranch, 100, 104, { "runs/r.json": run });
  push(ledgerBranch, 105, 106, { "runs/r.json": { ...run, clusters: { one: {} }, gates: errors } });
  push(ledgerBranch, 110, 114, {
    "runs/r.json": {
      ...run,
      state: "done",
      clusters: { one: {} },
      gates: { errors: { verdict: "pass" } },
      retried: { "one:a/*": 1 },
      outcome: { skipped },
    },
  });
  expect(read().runs).toEqual([
    {
      id: "r",
      state: "done",
      startedFrom: 100,
      startedAt: 104,
      endedAt: 110,
      endedAtLatest: 114,
      retried: { "one:a/*": 1 },
      skipped: ["one:a/Deployment/web"],
      everSkipped: ["one:a/Deployment/web"],
      clusters: { one: 106 },
      verdicts: [
        { gate: "errors", verdict: "fail", at: 105, atLatest: 106 },
        { gate: "errors", verdict: "pass", at: 110, atLatest: 114 },
      ],
    },
  ]);
});

test("a server without a ledger branch says so", () => {
  push("main", 100, 104, { "rollouts.yml": "production: {old: 100}" });
  expect(readLedger(readGit(folder, pushes))).toBe("none");
});

test("main is what the server saw pushed: a forced push makes an earlier commit the head again, and the removed ones still count", () => {
  const first = push("main", 100, 104, { "rollouts.yml": "one", "campaigns/up.yml": "up" });
  const second = push("main", 110, 114, { "rollouts.yml": "two", "campaigns/done/old.yml": "old" }, "ben");
  git("update-ref", "refs/heads/main", first);
  pushes.push({ branch: "main", before: second, after: first, from: 120, until: 124, by: "eve" });
  const third = push("main", 130, 134, { "rollouts.yml": "three", "meshroll.yml": "m" });
  const seen = readMain(readGit(folder, pushes));
  expect(seen.map(({ sha, at, atLatest, by, isForced = false }) => [sha, at, atLatest, by, isForced])).toEqual([
    [first, 0, 0, "ana", false],
    [second, 110, 114, "ben", false],
    [first, 120, 124, "eve", true],
    [third, 130, 134, "ana", false],
  ]);
  const files = { settings: undefined, campaigns: { "campaigns/up.yml": "up" } };
  expect(seen.map(({ rollouts, settings, campaigns }) => ({ rollouts, settings, campaigns }))).toEqual([
    { rollouts: "one", ...files },
    { rollouts: "two", ...files },
    { rollouts: "one", ...files },
    { rollouts: "three", ...files, settings: "m" },
  ]);
});

test("a run's list is the one of its pull request's head, also when the plan is gone from the tree", () => {
  const listed = { ...run, state: "done", campaign: "up", stage: "all", list: "abc" };
  const outcome = { skipped: [], differences: [{ cluster: "one", workload: "shop/Deployment/b" }] };
  const plan = "# {}\nshop\tproduction\told\tnew\tone\tshop/Deployment/a\n";
  push(ledgerBranch, 100, 104, { "runs/r.json": { ...listed, outcome }, "plans/abc.tsv": plan });
  push(ledgerBranch, 110, 114, { "plans/abc.tsv": undefined });
  const [seen] = read().runs;
  expect([seen?.campaign, seen?.stage, seen?.list, seen?.differences]).toEqual([
    "up",
    "all",
    ["one:shop/Deployment/a"],
    ["one:shop/Deployment/b"],
  ]);
});
