import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";

import { makeLedger, makeRun } from "#test/world/build";
import { expect, onTestFinished, test } from "vitest";

import { previewRollback } from "../../../cli/requests/rollback/preview-rollback.ts";
import { printRollback } from "../../../cli/requests/rollback/print-rollback.ts";
import { printSentence } from "../../../cli/terminal/sentence.ts";
import { campaign, fillShops, openCliEnvironment, rollouts } from "./cli-environment.ts";

const own = campaign.replace("  stages:\n", "  rollback: { on: [], batch: { batchSize: 7 } }\n  stages:\n");
const raised = rollouts.replace("1-24-5: 100\n  1-25-2: 0", "1-24-5: 50\n  1-25-2: 50");

test("the preview of a rollback names the batch size of the run's stage, not that of meshroll.yml", async () => {
  const environment = await openCliEnvironment(
    { "rollouts.yml": rollouts, "campaigns/istio-1-25.yml": own },
    fillShops,
  );
  const folder = mkdtempSync(join(tmpdir(), "meshroll-preview-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=ana", "-c", "user.email=ana@acme.example", ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  git("clone", "-q", environment.github.repoPath, ".");
  const before = git("rev-parse", "HEAD");
  writeFileSync(join(folder, "rollouts.yml"), raised);
  git("commit", "-qam", "raise production");
  git("push", "-q", "origin", "HEAD:main");
  const commit = git("rev-parse", "HEAD");

  const changes = [
    { pattern: "production", from: "1-24-5: 100", to: "1-24-5: 50, 1-25-2: 50", direction: "forward" as const },
  ];
  const run = makeRun(commit, before, { campaign: "istio-1-25", stage: "prod-50", changes });
  const ledger = makeLedger({ main: commit, judged: commit, runs: { [run.id]: run } });
  const terminal = {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    cwd: environment.folder,
    env: environment.env,
  };
  const options = { kubeconfig: join(environment.folder, "kubeconfig"), clusters: "one" };
  const preview = await previewRollback(ledger, run, undefined, options, terminal);
  const lines = printRollback({ run: run.id, record: run }, preview, true).map(printSentence);
  expect(lines.join("\n")).toContain(", 7 of a cluster at a time");
});
