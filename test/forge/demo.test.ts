import { findGitea } from "#sandbox/gitea";
import { afterEach, expect, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createPlainLines } from "../../sandbox/demo/display/plain-lines.ts";
import type { Ending } from "../../sandbox/demo/ending/summarise.ts";
import { runDemo } from "../../sandbox/demo/run-demo.ts";
import { openAs } from "../../sandbox/demo/world/people.ts";
import type { OpenDemoScm } from "../../sandbox/demo/world/scm/demo-scm.ts";
import { openGitea } from "../../sandbox/demo/world/scm/open-gitea.ts";
import { type DemoEnvironment, startEnvironment } from "../../sandbox/demo/world/start-world.ts";
import { type Balancer, startBalancer } from "./bed/outage.ts";

// What `npm run demo -- --yes --gitea` plays, in a smaller fleet, with a stage that is rolled back.

const folder = mkdtempSync(join(tmpdir(), "meshroll-forge-demo-"));
let environment: DemoEnvironment | undefined;
let webhooks: Balancer | undefined;

afterEach(async () => {
  await environment?.stop();
  await webhooks?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Gitea's webhooks reach the api through a proxy that can lose them. */
async function openLossyGitea(): Promise<OpenDemoScm> {
  const open = openGitea(await findGitea({ env: process.env, log: () => undefined }));
  return async (parts) => {
    const way = (webhooks = await startBalancer(parts.apiUrl));
    return open({ ...parts, apiUrl: way.url });
  };
}

/** What ben is told who merges before anyone has approved. */
async function mergeTooEarly({ scm }: DemoEnvironment): Promise<string> {
  const ben = openAs(scm.address, "ben");
  const [pull] = await ben.listOpenPullRequests("main");
  if (pull === undefined) throw new Error("no pull request is open");
  return (await ben.merge(pull.number, pull.headSha)).kind;
}

/** The pull requests of the campaign, oldest first, as `BRANCH STATE by PERSON`. */
async function listPulls({ scm }: DemoEnvironment): Promise<readonly string[]> {
  const ben = openAs(scm.address, "ben");
  const found = await Promise.all([1, 2, 3, 4, 5, 6].map(async (number) => ben.findPullRequest(number)));
  return found.map((pull) => `${pull?.branch.replace(/[0-9a-f]{12}/u, "RUN")} ${pull?.state} by ${pull?.mergedBy}`);
}

test("the demo's campaign is refused, approved and rolled back on Gitea, and goes on while its webhooks are lost", async () => {
  const openScm = await openLossyGitea();
  const made = (environment = await startEnvironment({
    folder: join(folder, "demo"),
    factor: 60,
    namespaces: 300,
    log: () => undefined,
    openScm,
  }));
  let lines = "";
  let ending: Ending | undefined;
  let early: string | undefined;
  const display = {
    ...createPlainLines({ write: (text) => (lines += text) }, made.clock),
    summarise: (_text: string, summary: object) => void (ending = summary as Ending),
  };
  // From the second stage on, through its rollback and until the third one is proposed, the api hears nothing of Gitea.
  const reviews = [
    async () => void (early = await mergeTooEarly(made)),
    async () => webhooks?.setDown(true),
    async () => undefined,
    async () => webhooks?.setDown(false),
  ];
  let reviewed = 0;
  const onReview = async (): Promise<void> => {
    await reviews[reviewed]?.();
    reviewed += 1;
  };
  const isGood = await runDemo(made, display, {
    yes: true,
    wipe: false,
    rollsBack: true,
    signal: new AbortController().signal,
    onPlanted: () => undefined,
    onReview,
  });
  expect({ isGood, violations: ending?.violations, lines: isGood ? "" : lines }).toEqual({
    isGood: true,
    violations: [],
    lines: "",
  });
  expect({ early, reviewed }).toEqual({ early: "refused", reviewed: 4 });
  expect(await listPulls(made)).toEqual([
    "ana/istio-1-25 merged by ben",
    "meshroll/istio-1-25/staging-100 merged by meshroll",
    "meshroll/istio-1-25/prod-25 merged by ben",
    "meshroll/rollback/RUN merged by meshroll",
    "meshroll/istio-1-25/prod-25-2 merged by ben",
    "meshroll/istio-1-25/prod-100 merged by ben",
  ]);
  expect(webhooks?.countTurnedAway()).toBeGreaterThan(10);
  expect(lines).toContain("both statuses are green, ben and cleo approved: merged as");
}, 900_000);
