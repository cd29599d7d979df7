import { GitUnavailable } from "#libs/git";
import { ForgeUnavailable } from "#libs/github";
import { listAskedReturns, type World } from "#libs/plan";

import { bringBack, type ReturnStep } from "./bring-back.ts";
import { bringStages, finishStages, type StageFollow } from "./follow-stages.ts";
import { judgePulls, type JudgedPull } from "./judge-pulls.ts";
import { mergeReturn } from "./merge-return.ts";
import { describeFault, makeWait, type Wait } from "./waits.ts";

/** What one round needs, and what only this process remembers between rounds. */
export type FollowParts = StageFollow;

/** True for what ends the whole round; anything else concerns one pull request or one return. */
export function isDown(error: unknown): boolean {
  return error instanceof ForgeUnavailable || error instanceof GitUnavailable;
}

async function bringAllBack(parts: FollowParts, world: World): Promise<readonly ReturnStep[]> {
  const steps: ReturnStep[] = [];
  for (const asked of world.ledger === undefined ? [] : listAskedReturns(world.ledger)) {
    try {
      const step = await bringBack(parts.link, world, asked);
      if (step !== undefined) steps.push(step);
    } catch (error) {
      if (isDown(error)) throw error;
      const { run, stop } = asked;
      const message = `the rollback of run ${run.id} has no pull request yet: ${describeFault(error)}`;
      const wait = makeWait(`run/${run.id}`, { code: "ReturnFailed", message, owner: stop.who });
      steps.push({ asked, oldText: "", wait });
    }
  }
  return steps;
}

async function finish(
  parts: FollowParts,
  world: World,
  step: ReturnStep,
  pulls: readonly JudgedPull[],
): Promise<readonly Wait[]> {
  const own = pulls.find(({ pull }) => pull.branch === step.asked.branch && pull.fork !== true);
  const isOver = step.wait?.reason.code === "ReturnClosed" || step.wait?.reason.code === "ReturnMerged";
  if (own === undefined || isOver) return step.wait === undefined ? [] : [step.wait];
  const { link, refusals, clock, log } = parts;
  const merge = await mergeReturn(link, world, step, own, refusals, clock.monotonic());
  if (merge.kind === "waiting") return [merge.wait];
  log.info({ pull: merge.number, run: step.asked.run.id }, "merged the return");
  parts.onMerged();
  return step.wait === undefined ? [] : [step.wait];
}

/**
 * One round over all open pull requests: returns and stages are brought on their way, every pull request is judged and its
 * checks posted, returns that are green and stages that merge themselves are merged. Repeatable at any time; answers what
 * waits, by name.
 */
export async function followOnce(parts: FollowParts, world: World): Promise<readonly Wait[]> {
  const { link } = parts;
  // The refs of this clone are what keeps a fetch by id small.
  const heads = await link.repository.fetch();
  const steps = await bringAllBack(parts, world);
  const stages = await bringStages(parts, world, heads, isDown);
  const pulls = stages?.open ?? (await link.forge.listOpenPullRequests(link.base));
  const { judged, waits } = await judgePulls(parts, world, pulls, isDown);
  const all = [...waits];
  for (const step of steps) all.push(...(await finish(parts, world, step, judged)));
  if (stages !== undefined) all.push(...(await finishStages(parts, world, stages, judged)));
  return all;
}

/** What waits while GitHub or git does not answer: the checks, and each rollback. */
export function listOutage(world: World, error: unknown): readonly Wait[] {
  const why = describeFault(error);
  const code = "GitHubUnavailable";
  const checks = makeWait("all", {
    code,
    message: `checks of pull requests are not renewed: ${why}`,
    owner: "planner",
  });
  const asked = world.ledger === undefined ? [] : listAskedReturns(world.ledger);
  return [
    checks,
    ...asked.map(({ run, stop }) => {
      const message = `the rollback of run ${run.id} waits to have its pull request opened and merged: ${why}`;
      return makeWait(`run/${run.id}`, { code, message, owner: stop.who });
    }),
  ];
}
