import { createRandom } from "#fakes/kube";

import { listMovedPaths } from "../flow/shop.ts";
import type { Attack } from "./attacks.ts";
import { pick } from "./hostile.ts";
import { openSetting, type FuzzSetting } from "./setting.ts";

/** Result of a round: its faults, and what was done. */
export interface Round {
  readonly faults: readonly string[];
  readonly story: readonly string[];
}

/** Most CPU time of this process in one second of the fleet's time, ms; more would block other work. */
const mostCpuMs = 1000;

/** Lets time pass second by second; returns the most CPU time of one second, ms, which does not depend on other processes. */
async function passAndMeasure(context: FuzzSetting, seconds: number): Promise<number> {
  let longest = 0;
  for (let second = 0; second < seconds; second += 1) {
    const before = process.cpuUsage();
    await context.flow.pass(1000);
    const { user } = process.cpuUsage(before);
    longest = Math.max(longest, user / 1000);
  }
  return longest;
}

/** Approves as ben and merges as ana. Returns why the run did not end; undefined when it did. */
async function proceed({ flow, github, pull, find }: FuzzSetting): Promise<string | undefined> {
  github.review(pull, { author: "ben", state: "approved" });
  await flow.pass(120_000);
  const { headSha, state } = await find("meshroll/shop/half");
  if (state !== "open") return "the pull request of the stage is not open any more";
  const merged = await github.as("ana").merge(pull, headSha);
  if (merged.kind !== "merged") return `GitHub did not merge: ${JSON.stringify(merged)}`;
  const run = merged.sha.slice(0, 12);
  for (let minute = 0; minute < 60; minute += 1) {
    await flow.pass(60_000);
    const runs = await flow.runs().catch(() => []);
    if (runs.some(({ id, state: now }) => id === run && now !== "open")) return undefined;
  }
  return `the run ${run} does not end`;
}

/** Faults when `status` is missing, old, or names no cause of a standstill. */
async function checkStatusNamesCause(context: FuzzSetting, why: string): Promise<readonly string[]> {
  const status = await context.flow.status().catch(() => undefined);
  if (status === undefined) return [`${why}, and there is no status`];
  const age = context.flow.clock.now() - Date.parse(status.at);
  if (!(age <= 60_000))
    return [`${why}, and the status is ${age / 1000} s old: ${context.flow.errors.slice(-2).join(" / ")}`];
  const named = [...status.waiting, ...status.stops];
  if (named.length > 0) return [];
  return [`${why}, and status names no cause: ${JSON.stringify(status).slice(0, 500)}`];
}

/**
 * Opens a fleet at rest, attacks it several times, and then approves and merges as people do. Faults are: something moved
 * before the approval, a process ended or blocked, or `status` names no cause when the run does not end.
 */
export async function playRound(seed: string, chosen: readonly Attack[]): Promise<Round> {
  const random = createRandom(seed);
  const context = await openSetting();
  const [story, faults]: [string[], string[]] = [[], []];
  for (let count = 1 + Math.floor(random() * 6); count > 0; count -= 1) {
    const done = await pick(random, chosen)(context, random).catch(
      (error: unknown) => `refused by the fake: ${String(error).slice(0, 200)}`,
    );
    story.push(done);
    const longest = await passAndMeasure(context, 1 + Math.floor(random() * 20));
    if (longest > mostCpuMs) faults.push(`a second of the fleet's time took ${Math.round(longest)} ms of CPU`);
  }
  await passAndMeasure(context, 60);
  if (listMovedPaths(context.flow).length > 0)
    faults.push(`moved before people agreed: ${listMovedPaths(context.flow).join(", ")}`);
  const why = await proceed(context);
  if (why !== undefined) faults.push(...(await checkStatusNamesCause(context, why)));
  if ("polluted" in {}) faults.push("the prototype of all objects was written to");
  await context.flow.killPlanner();
  await context.flow.killExecutor();
  await context.flow.pass(5000);
  return { faults, story };
}
