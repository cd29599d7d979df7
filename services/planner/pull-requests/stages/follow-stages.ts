import type { PullRequest } from "#libs/scm";
import { evaluateFleet, judgeStages, nameStage, type Snapshot, type Spec, type StagePull } from "#libs/plan";
import { type Clock, doEach, type Logger } from "#libs/runtime";

import { bringStage, type StageMemory } from "./bring-stage.ts";
import { closeOvertaken } from "./close-stages.ts";
import type { JudgedPull, PullJudge } from "../checks/judge-pulls.ts";
import type { RulesReader } from "../reading/read-rules.ts";
import type { Refusals } from "../try-merge.ts";
import { mergeStage } from "./merge-stage.ts";
import { collectStagePulls } from "./stage-pulls.ts";
import { type StageStep, waitForStage } from "./stage-step.ts";
import { describeFault, type Wait } from "../../loop/make-wait.ts";
import { isDown } from "../scm-link.ts";

/** What following stages needs in a round. */
export interface StageFollow extends PullJudge {
  readonly stages: StageMemory;
  readonly refusals: Refusals;
  readonly rules: RulesReader;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onMerged: () => void;
  /** What waited next to rollbacks in the last whole round. */
  others: readonly Wait[];
  /** What decisions know of stage pull requests; replaced after each round. */
  stagePulls: ReadonlyMap<string, StagePull> | undefined;
}

/** A round over the stages of one snapshot: how far they were brought, and what of GitHub is left to judge. */
export interface StageRound {
  readonly head: Spec;
  readonly steps: readonly StageStep[];
  readonly open: readonly PullRequest[];
  readonly waits: readonly Wait[];
}

/** Main and the ledger as they are now must be those of the snapshot: nothing is proposed on what was overtaken or is not used. */
function findHead(snapshot: Snapshot, heads: { readonly main: string; readonly ledger?: string }): Spec | undefined {
  const isNewest =
    heads.main === snapshot.main.head && (heads.ledger ?? snapshot.ledger?.head) === snapshot.ledger?.head;
  return isNewest && snapshot.ledger !== undefined && snapshot.ledgerDoubt === undefined
    ? snapshot.specs.get(snapshot.main.head)
    : undefined;
}

function describeFailure({ log }: StageFollow, verdict: StageStep["verdict"], error: unknown): Wait {
  const named = nameStage(verdict);
  log.warn({ error, ...named }, "a stage could not be brought on its way");
  return waitForStage(verdict, { code: "StageFailed", ...named, why: describeFault(error) });
}

/** Brings every campaign's next stage on its way, and closes what main overtook; undefined while the snapshot is not the newest. */
export async function bringStages(
  parts: StageFollow,
  snapshot: Snapshot,
  heads: { readonly main: string; readonly ledger?: string },
): Promise<StageRound | undefined> {
  const head = findHead(snapshot, heads);
  if (head === undefined) return undefined;
  const steps: StageStep[] = [];
  const verdicts = judgeStages(snapshot, head, evaluateFleet(snapshot, head));
  await doEach(
    verdicts.filter((verdict) => verdict.kind !== "complete"),
    async (verdict) => steps.push(await bringStage(parts, snapshot, head, verdict)),
    {
      onFault: (verdict, error) =>
        steps.push({ verdict, branch: verdict.branch, wait: describeFailure(parts, verdict, error) }),
      isDown,
    },
  );
  const found = await parts.link.scm.listOpenPullRequests(parts.link.base);
  return { head, steps, ...(await closeOvertaken(parts, snapshot, head, found)) };
}

async function finishOne(
  parts: StageFollow,
  snapshot: Snapshot,
  step: StageStep,
  own: JudgedPull,
): Promise<readonly Wait[]> {
  const { link, refusals, rules, clock, log, stages } = parts;
  // The last write of a head is red for good: another head has writes of its own.
  if (!own.isShown) stages.overBudget.add(own.pull.headSha);
  if (step.wait !== undefined || step.verdict.kind !== "propose") return step.wait === undefined ? [] : [step.wait];
  const times = { now: clock.now(), real: clock.monotonic() };
  const wait = await mergeStage({ link, snapshot, step, own, refusals, rules, ...times });
  if (wait !== undefined) return [wait];
  log.info({ pull: own.pull.number, stage: step.verdict.stage.name }, "merged the stage");
  parts.onMerged();
  return [];
}

/** After all were judged: merges what merges itself, and answers what the others wait for. */
export async function finishStages(
  parts: StageFollow,
  snapshot: Snapshot,
  round: StageRound,
  judged: readonly JudgedPull[],
): Promise<readonly Wait[]> {
  parts.stagePulls = collectStagePulls(snapshot, round.head, round.steps, judged, parts.stagePulls ?? new Map());
  const waits: Wait[] = [...round.waits];
  const finish = async (step: StageStep): Promise<void> => {
    const own = judged.find(({ pull }) => pull.branch === step.branch && pull.fork !== true);
    if (own === undefined) waits.push(...(step.wait === undefined ? [] : [step.wait]));
    else waits.push(...(await finishOne(parts, snapshot, step, own)));
  };
  await doEach(round.steps, finish, {
    onFault: ({ verdict }, error) => waits.push(describeFailure(parts, verdict, error)),
    isDown,
  });
  return waits;
}
