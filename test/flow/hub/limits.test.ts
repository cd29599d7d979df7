import type { Fault } from "#sandbox/github";
import { afterEach, expect, test } from "vitest";

import { file } from "../shop.ts";
import { type Hub, openHub } from "./open-hub.ts";

const minute = 60_000;
const settings =
  "defaults:\n  batch: { delayBetweenBatches: 10s, batchSize: 2 }\n  notify: { github: { dashboardIssue: true } }\n";

let opened: Hub | undefined;
afterEach(async () => opened?.close());

/** A merge whose run is on its way, in a repository with so many requests an hour. */
async function openRun(requestsPerHour: number) {
  const files = { "rollouts.yml": file(0), "meshroll.yml": settings };
  const hub = await openHub({ files, people: ["ada"], requestsPerHour });
  opened = hub;
  await hub.pass(minute);
  const merged = hub.github.remote.commitToMain({ files: { "rollouts.yml": file(50) } });
  await hub.hint();
  await hub.until("the run began", async () => (await hub.status())?.runs.length === 1, 5 * minute);
  return { hub, run: merged.slice(0, 12) };
}

async function askRollback(hub: Hub, run: string): Promise<void> {
  await hub.request({ verb: "rollback", scope: `run/${run}`, why: "5xx" });
}

const isMerged = (hub: Hub) => (): boolean =>
  hub.exchanges.some(
    ({ route, status }) => route === "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge" && status === 200,
  );

async function listCodes(hub: Hub): Promise<readonly string[]> {
  return (await hub.status())?.waiting.map(({ code }) => code) ?? [];
}

test("with a tenth of GitHub's limit left a rollback is opened, checked and merged, and all else waits", async () => {
  const { hub, run } = await openRun(1000);
  hub.github.github.leaveRequests(99);
  const open = { head: "ada/more", base: "main", title: "More" };
  hub.github.remote.commitTo(open.head, { files: { "rollouts.yml": file(100) }, author: "ada" });
  await hub.ask("/pulls", open);
  await hub.pass(minute);
  const before = hub.exchanges.length;
  await hub.pass(minute);
  expect(await listCodes(hub)).toContain("GitHubLimitKept");
  expect(hub.exchanges.slice(before).filter(({ login }) => login === "bot")).toEqual([]);

  await askRollback(hub, run);
  await hub.until("the rollback was merged", isMerged(hub), 5 * minute);
  const own = hub.exchanges.slice(before).filter(({ login, status }) => login === "bot" && status !== 304);
  expect(own.length).toBeLessThan(50);
  const isKept = async (): Promise<boolean> => (await listCodes(hub)).includes("GitHubLimitKept");
  await hub.until("the rest waits again", isKept, minute);
  await hub.leap(60 * minute);
  await hub.until("the rest goes on", async () => !(await isKept()), 2 * minute);
  await hub.pass(minute);
  const checked = await hub.github.as("ada").findPullRequests("ada/more");
  expect(await hub.github.as("ada").findChecks(checked[0]?.headSha ?? "")).toHaveLength(2);
});

test("a secondary limit stops all requests as long as GitHub asks, and then the rollback goes first", async () => {
  const { hub, run } = await openRun(5000);
  const fault: Fault = { on: { path: /^\/repos/ }, effect: { kind: "secondaryLimit", retryAfterSeconds: 90 } };
  const remove = hub.github.github.addFault({ ...fault, times: Infinity });
  await askRollback(hub, run);
  await hub.pass(15_000);
  const before = hub.exchanges.length;
  await hub.pass(60_000);
  expect(hub.exchanges.length).toBe(before);
  remove();
  await hub.until("the rollback was merged", isMerged(hub), minute);
  const first = hub.exchanges.slice(before).find(({ method }) => method !== "GET");
  expect(first?.route).toBe("POST /repos/{owner}/{repo}/pulls");
});
