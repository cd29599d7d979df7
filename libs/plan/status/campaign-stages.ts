import { type Campaign, isReached, type Stage } from "#libs/campaign";

import { countHealthy, isBaked } from "../conditions/index.ts";
import { dropAbsent, type RunRecord, type Snapshot, type Spec } from "../records/index.ts";
import { findRunGuardStop, holdsWholeRun, type StopStatus } from "../stops/index.ts";
import { countLeft, type RunView } from "../index/index.ts";
import type { PullStatus, StageProgress } from "./campaign-status.ts";

/** The facts for the states of a campaign's stages. */
export interface StagesQuestion {
  readonly snapshot: Snapshot;
  readonly head: Spec;
  readonly campaign: Campaign;
  /** Its runs in main's history. */
  readonly runs: readonly RunRecord[];
  readonly views: readonly RunView[];
  /** Open runs of others that change one of its buckets. */
  readonly others: readonly RunRecord[];
  readonly stops: readonly StopStatus[];
  readonly next: Stage | undefined;
  /** The earliest starts by stage, ISO. */
  readonly starts: ReadonlyMap<string, string>;
  /** The pull request of the next stage, or of the last one. */
  readonly pull: PullStatus | undefined;
}

function findLatest({ runs }: StagesQuestion, stage: Stage): RunRecord | undefined {
  return runs.filter((run) => run.stage === stage.name).toSorted((a, b) => b.order - a.order)[0];
}

/** Whether a stop holds the run, or everything. */
function isHeld({ stops, campaign }: StagesQuestion, run: string): boolean {
  return stops.some((stop) => holdsWholeRun(stop, { run, campaign: campaign.name }));
}

/** Whether the run's failures or a gate stopped it. */
function isFailed({ stops }: StagesQuestion, run: string): boolean {
  return findRunGuardStop(stops, run) !== undefined;
}

/** The state of an open run's stage. */
function nameOpenState(question: StagesQuestion, view: RunView, stage: Stage): StageProgress["state"] {
  const { run } = view;
  if (isFailed(question, run.id)) return "Failed";
  if (isHeld(question, run.id)) return "Held";
  if (countLeft(view).left > 0) return "Running";
  const hasBegun = run.bake !== undefined || countHealthy(run.bake, question.snapshot.bakes?.get(run.id)) > 0;
  return hasBegun && !isBaked(run, stage.settings) ? "Baking" : "Running";
}

/** The state of a stage that is not reached: one that ran was rolled back. */
function nameUnreachedState(latest: RunRecord | undefined): StageProgress["state"] {
  return latest === undefined ? "Pending" : "RolledBack";
}

/** The state of the next stage. */
function nameNextState({ pull, stops, next }: StagesQuestion, latest: RunRecord | undefined): StageProgress["state"] {
  if (stops.length > 0) return "Held";
  if (pull?.stage === next?.name && pull?.state === "open") return "Proposed";
  return latest === undefined ? "Next" : "RolledBack";
}

/** The open run outside of the campaign by which main reaches the stage. */
function findOther({ others }: StagesQuestion, { set }: Stage): RunRecord | undefined {
  return others.find(({ buckets }) => buckets.some((pattern) => Object.hasOwn(set, pattern)));
}

function nameState(question: StagesQuestion, stage: Stage, latest: RunRecord | undefined): StageProgress["state"] {
  const { campaign, head, views, next } = question;
  const view = views.find(({ run }) => run.id === latest?.id);
  if (view?.run.state === "open") return nameOpenState(question, view, stage);
  if (isReached(campaign, stage, head.rollouts)) {
    const other = latest === undefined ? findOther(question, stage) : undefined;
    if (other === undefined) return "Completed";
    return isHeld(question, other.id) ? "Held" : "Running";
  }
  return stage === next ? nameNextState(question, latest) : nameUnreachedState(latest);
}

/** Every stage of a campaign with its state, in the file's order. */
export function describeStages(question: StagesQuestion): readonly StageProgress[] {
  const { campaign, head, starts } = question;
  return campaign.stages.map((stage, index) => {
    const latest = findLatest(question, stage);
    const state = nameState(question, stage, latest);
    const reached = isReached(campaign, stage, head.rollouts);
    // A stage that was rolled back has to bake again, whatever its state is now.
    const hasBaked = reached && latest?.bake !== undefined && isBaked(latest, stage.settings);
    return {
      name: stage.name,
      index: index + 1,
      set: stage.set,
      state,
      reached,
      baked: state === "Completed" || hasBaked,
      ...dropAbsent({ notBefore: reached ? undefined : starts.get(stage.name) }),
      ...(latest === undefined ? {} : { run: latest.id, startedAt: latest.startedAt }),
      ...(latest?.endedAt === undefined ? {} : { endedAt: latest.endedAt }),
    };
  });
}
