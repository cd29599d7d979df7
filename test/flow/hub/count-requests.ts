import type { Exchange } from "#sandbox/github";

import { campaignFile, campaignOf } from "../campaign/stage-campaign.ts";
import { file } from "../shop.ts";
import { type Hub, openHub } from "./open-hub.ts";

/** Requests that count in GitHub's limit, by route and status, the most first. */
export type RequestCounts = readonly (readonly [string, number])[];

export interface RequestReading {
  /** Of an hour in which nothing happens. */
  readonly idle: RequestCounts;
  /** From the request that opens a stage's pull request until its merge, with the idle hour in between. */
  readonly stage: RequestCounts;
  /** All requests of the idle hour, those that do not count included. */
  readonly sent: number;
}

const [minute, hour] = [60_000, 3_600_000];
const authors = ["ada", "bob", "cyd", "dee", "eve"];
const settings =
  "defaults:\n" +
  "  batch: { delayBetweenBatches: 10s, batchSize: 2 }\n" +
  "  approvals: { required: 1, from: ['team:mesh'] }\n" +
  "  notify: { github: { dashboardIssue: true } }\n";

/** What a person's pull request changes: every fifth `rollouts.yml`, others files of their own. */
function listChanges(index: number): Readonly<Record<string, string>> {
  return index % 5 === 0 ? { "rollouts.yml": file(index + 1) } : { [`docs/page-${index}.md`]: `page ${index}\n` };
}

/** A pull request with two comments, and with an approval where it changes who moves. */
async function propose(hub: Hub, index: number): Promise<void> {
  const [author = "", other = ""] = [authors[index % authors.length], authors[(index + 1) % authors.length]];
  const branch = `${author}/change-${index}`;
  hub.github.remote.commitTo(branch, { files: listChanges(index), author });
  const number = await hub.ask("/pulls", { head: branch, base: "main", title: `Change ${index}` }, author);
  await hub.ask(`/issues/${number}/comments`, { body: "What is this for?" }, other);
  await hub.ask(`/issues/${number}/comments`, { body: "See the ticket." }, author);
  if (index % 5 === 0) await hub.ask(`/pulls/${number}/reviews`, { event: "APPROVE" }, other);
}

function isCounted({ status }: Exchange): boolean {
  return status !== 304;
}

function countByRoute(exchanges: readonly Exchange[]): RequestCounts {
  const groups = Map.groupBy(exchanges.filter(isCounted), ({ route, status }) => `${route ?? ""} ${status}`);
  return [...groups].map(([name, all]) => [name, all.length] as const).toSorted(([, a], [, b]) => b - a);
}

function listOwn({ exchanges }: Hub, from: number, to = exchanges.length): readonly Exchange[] {
  return exchanges.slice(from, to).filter(({ login }) => login === "bot");
}

/** Waits until a stage's pull request is open; returns the place of the request that opened it. */
async function untilOpened(hub: Hub, from: number): Promise<number> {
  const isOpening = ({ login, route }: Exchange): boolean =>
    login === "bot" && route === "POST /repos/{owner}/{repo}/pulls";
  await hub.until("a stage was opened", () => hub.exchanges.slice(from).some(isOpening));
  return hub.exchanges.findIndex((each, index) => index >= from && isOpening(each));
}

/** A person approves and another one merges; returns once the planner has read main, for which it needs git alone. */
async function mergeStage(hub: Hub, stage: string): Promise<number> {
  const { github } = hub;
  await hub.pass(2 * minute);
  const [pull] = await github.as("ada").findPullRequests(`meshroll/shop/${stage}`);
  if (pull === undefined) throw new Error(`stage ${stage} has no pull request`);
  await github.approve("bob", pull.number);
  await hub.hint();
  await hub.pass(2 * minute);
  const outcome = await github.as("ada").merge(pull.number, pull.headSha);
  if (outcome.kind !== "merged") throw new Error(JSON.stringify(outcome));
  const end = hub.exchanges.length;
  await hub.hint();
  await hub.until("the merge was read", async () => (await hub.status())?.main?.head === outcome.sha);
  return end;
}

/** Counts requests of planner and notifier next to so many open pull requests of people. */
export async function countRequests(pulls: number): Promise<RequestReading> {
  const files = { "rollouts.yml": file(0), "meshroll.yml": settings };
  const hub = await openHub({ files, people: authors, teams: { mesh: ["bob"] } });
  try {
    for (let index = 0; index < pulls; index += 1) await propose(hub, index);
    await hub.pass(2 * minute);
    // 1. The first stage: afterwards there is a run with its comment and deployments.
    const first = hub.exchanges.length;
    hub.github.remote.commitToMain({ files: { [campaignFile]: campaignOf() } });
    await hub.hint();
    await untilOpened(hub, first);
    const second = await mergeStage(hub, "half");

    // 2. The second stage is opened, and waits for its approval: a day without a comment, and then the idle hour.
    const opened = await untilOpened(hub, second);
    await hub.pass(2 * minute);
    await hub.leap(25 * hour);
    await hub.pass(5 * minute);
    const from = hub.exchanges.length;
    await hub.pass(hour);
    const idle = listOwn(hub, from);
    const merged = await mergeStage(hub, "all");
    const stage = listOwn(hub, opened, merged);
    return { stage: countByRoute(stage), idle: countByRoute(idle), sent: idle.length };
  } finally {
    await hub.close();
  }
}
