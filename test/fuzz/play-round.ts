import { createRandom } from "#fakes/kube";

import { written } from "../flow/shop.ts";
import type { Attack } from "./attacks.ts";
import { pick } from "./hostile.ts";
import { openSetting, type FuzzSetting } from "./setting.ts";

/** What one round came to: no faults, or each with what was done before it. */
export interface Round {
  readonly faults: readonly string[];
  readonly story: readonly string[];
}

/** CPU of this process in one second of the fleet's time, ms: more is a loop that others wait for. */
const mostCpuMs = 1000;

/** Lets time pass second by second; answers the longest second in CPU time, which a busy machine does not change. */
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

/** The way that people take: ben approves, ana merges. Answers why it did not come to an end; undefined: it did. */
async function proceed({ flow, github, pull, find }: FuzzSetting): Promise<string | undefined> {
  github.review(pull, { author: "ben", state: "approved" });
  await flow.pass(120_000);
  const { headSha, state } = await find("meshroll/shop/half");
  if (state !== "open") return "the pull request of the stage is not open any more";
  const merged = await github.as("ana").merge(pull, headSha);
  if (merged.kind === "refused") return `GitHub refused the merge: ${merged.why}`;
  const run = merged.sha.slice(0, 12);
  for (let minute = 0; minute < 60; minute += 1) {
    await flow.pass(60_000);
    const runs = await flow.runs().catch(() => []);
    if (runs.some(({ id, state: now }) => id === run && now !== "open")) return undefined;
  }
  return `the run ${run} does not end`;
}

/** What `status` says for a standstill; a fault when it says nothing of use. */
async function findUnnamed(context: FuzzSetting, why: string): Promise<readonly string[]> {
  const status = await context.flow.status().catch(() => undefined);
  if (status === undefined) return [`${why}, and there is no status`];
  const age = context.flow.clock.now() - Date.parse(status.at);
  if (!(age <= 60_000))
    return [`${why}, and the status is ${age / 1000} s old: ${context.flow.errors.slice(-2).join(" / ")}`];
  const named = [...status.waitingFor, ...status.stops];
  if (named.length > 0) return [];
  return [`${why}, and status names no cause: ${JSON.stringify(status).slice(0, 500)}`];
}

/**
 * A fleet at rest, some hostile acts, and then the ordinary way of people. Nothing may have moved before they agreed, no
 * process may have ended or did not change, and what keeps them from going on must have a name.
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
  if (written(context.flow).length > 0) faults.push(`moved before people agreed: ${written(context.flow).join(", ")}`);
  const why = await proceed(context);
  if (why !== undefined) faults.push(...(await findUnnamed(context, why)));
  if ("polluted" in {}) faults.push("the prototype of all objects was written to");
  await context.flow.killPlanner();
  await context.flow.killExecutor();
  await context.flow.pass(5000);
  return { faults, story };
}
