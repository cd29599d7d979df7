import type { PullRequest } from "#libs/github";
import { judgeStages, type Spec, type StagePull, surveyFleet, type World } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

import { bringStage, type StageMemory } from "./bring-stage.ts";
import { closeOvertaken } from "./close-stages.ts";
import type { JudgedPull, PullJudge } from "./judge-pulls.ts";
import type { Refusals } from "./merge-return.ts";
import { mergeStage } from "./merge-stage.ts";
import { collectStagePulls } from "./stage-pulls.ts";
import { type StageStep, waitForStage } from "./stage-step.ts";
import { describeFault, type Wait } from "./waits.ts";

/** What following stages needs in a round. */
export interface StageFollow extends PullJudge {
  readonly stages: StageMemory;
  readonly refusals: Refusals;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onMerged: () => void;
  /** What waited beside rollbacks in the last whole round. */
  others: readonly Wait[];
  /** What decisions know of stage pull requests; replaced after each round. */
  stagePulls: ReadonlyMap<string, StagePull> | undefined;
}

/** A round over the stages of one world: how far they were brought, and what of GitHub is left to judge. */
export interface StageRound {
  readonly head: Spec;
  readonly steps: readonly StageStep[];
  readonly open: readonly PullRequest[];
  readonly waits: readonly Wait[];
}

/** Main and the ledger as they are now must be those of the world: nothing is proposed on what was overtaken or is not gone by. */
function findHead(world: World, heads: { readonly main: string; readonly ledger?: string }): Spec | undefined {
  const isNewest = heads.main === world.main.head && (heads.ledger ?? world.ledger?.head) === world.ledger?.head;
  return isNewest && world.ledger !== undefined && world.ledgerDoubt === undefined
    ? world.specs.get(world.main.head)
    : undefined;
}

async function bringOne(
  parts: StageFollow,
  world: World,
  head: Spec,
  verdict: StageStep["verdict"],
  isDown: (error: unknown) => boolean,
): Promise<StageStep> {
  try {
    return await bringStage(parts, world, head, verdict);
  } catch (error) {
    if (isDown(error)) throw error;
    const message = `has no pull request yet: ${describeFault(error)}`;
    return { verdict, branch: verdict.branch, wait: waitForStage(verdict, { code: "StageFailed", message }) };
  }
}

/** Brings every campaign's next stage on its way, and closes what main overtook; undefined while the world is not the newest. */
export async function bringStages(
  parts: StageFollow,
  world: World,
  heads: { readonly main: string; readonly ledger?: string },
  isDown: (error: unknown) => boolean,
): Promise<StageRound | undefined> {
  const head = findHead(world, heads);
  if (head === undefined) return undefined;
  const steps: StageStep[] = [];
  for (const verdict of judgeStages(world, head, surveyFleet(world, head))) {
    if (verdict.kind !== "complete") steps.push(await bringOne(parts, world, head, verdict, isDown));
  }
  const found = await parts.link.forge.listOpenPullRequests(parts.link.base);
  return { head, steps, ...(await closeOvertaken(parts, world, head, found)) };
}

async function finishOne(parts: StageFollow, world: World, step: StageStep, own: JudgedPull): Promise<readonly Wait[]> {
  const { link, refusals, clock, log, stages } = parts;
  // The last write of a head is red for good: another head has writes of its own.
  if (!own.isShown) stages.worn.add(own.pull.headSha);
  if (step.wait !== undefined || step.verdict.kind !== "propose") return step.wait === undefined ? [] : [step.wait];
  const merge = await mergeStage({ link, world, step, own, refusals, now: clock.now(), real: clock.monotonic() });
  if (merge.kind === "waiting") return [merge.wait];
  log.info({ pull: merge.number, stage: step.verdict.stage.name }, "merged the stage");
  parts.onMerged();
  return [];
}

/** After all were judged: merges what merges itself, and answers what the others wait for. */
export async function finishStages(
  parts: StageFollow,
  world: World,
  round: StageRound,
  judged: readonly JudgedPull[],
): Promise<readonly Wait[]> {
  parts.stagePulls = collectStagePulls(world, round.head, round.steps, judged, parts.stagePulls ?? new Map());
  const waits: Wait[] = [...round.waits];
  for (const step of round.steps) {
    const own = judged.find(({ pull }) => pull.branch === step.branch && pull.fork !== true);
    if (own === undefined) waits.push(...(step.wait === undefined ? [] : [step.wait]));
    else waits.push(...(await finishOne(parts, world, step, own)));
  }
  return waits;
}
