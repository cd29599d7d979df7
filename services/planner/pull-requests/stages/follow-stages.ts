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
  /** The waits of the last complete round, except those of rollbacks. */
  lastWaits: readonly Wait[];
  /** Stage pull requests for the planner's decisions; replaced after each round. */
  stagePulls: ReadonlyMap<string, StagePull> | undefined;
}

/** The stages of one snapshot: how far each is, and the open pull requests that are left to judge. */
export interface StageRound {
  readonly head: Spec;
  readonly steps: readonly StageStep[];
  readonly open: readonly PullRequest[];
  readonly waits: readonly Wait[];
}

/** Main's spec, if the snapshot has the newest main and ledger and the ledger is used; otherwise nothing is proposed. */
function findHead(snapshot: Snapshot, heads: { readonly main: string; readonly ledger?: string }): Spec | undefined {
  const isNewest =
    heads.main === snapshot.main.head && (heads.ledger ?? snapshot.ledger?.head) === snapshot.ledger?.head;
  return isNewest && snapshot.ledger !== undefined && snapshot.ledgerDoubt === undefined
    ? snapshot.specs.get(snapshot.main.head)
    : undefined;
}

function describeFailure({ log }: StageFollow, verdict: StageStep["verdict"], error: unknown): Wait {
  const named = nameStage(verdict);
  log.warn({ error, ...named }, "a stage's pull request could not be brought up to date");
  return waitForStage(verdict, { code: "StageFailed", ...named, why: describeFault(error) });
}

/**
 * Takes each campaign's next stage as far as possible, and closes pull requests that main overtook. Undefined while the
 * snapshot is not the newest.
 */
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
  // The last write of a head leaves its check red for good; a new head has writes of its own.
  if (!own.isShown) stages.overBudget.add(own.pull.headSha);
  if (step.wait !== undefined || step.verdict.kind !== "propose") return step.wait === undefined ? [] : [step.wait];
  const times = { now: clock.now(), real: clock.monotonic() };
  const wait = await mergeStage({ link, snapshot, step, own, refusals, rules, ...times });
  if (wait !== undefined) return [wait];
  log.info({ pull: own.pull.number, stage: step.verdict.stage.name }, "merged the stage");
  parts.onMerged();
  return [];
}

/** After all were judged: merges the stages that merge themselves, and returns what the others wait for. */
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
