import { type Campaign, isReached, type Stage } from "#libs/campaign";

import { countHealthy, isBaked } from "../conditions/index.ts";
import type { RunRecord, Snapshot, Spec } from "../records/index.ts";
import { holdsWholeRun, type StopStatus } from "../stops/index.ts";
import { countLeft, type RunView } from "../index/index.ts";
import type { PullStatus, StageProgress } from "./campaign-status.ts";

/** What the states of a campaign's stages are read from. */
export interface StagesQuestion {
  readonly snapshot: Snapshot;
  readonly head: Spec;
  readonly campaign: Campaign;
  /** Its runs that are in main's history. */
  readonly runs: readonly RunRecord[];
  readonly views: readonly RunView[];
  /** Open runs of others that change a bucket of it. */
  readonly others: readonly RunRecord[];
  readonly stops: readonly StopStatus[];
  readonly next: Stage | undefined;
  /** The pull request of the next stage, or of the last one. */
  readonly pull: PullStatus | undefined;
}

function findLatest({ runs }: StagesQuestion, stage: Stage): RunRecord | undefined {
  return runs.filter((run) => run.stage === stage.name).toSorted((a, b) => b.order - a.order)[0];
}

/** A stop that holds the run, or everything. */
function isHeld({ stops, campaign }: StagesQuestion, run: string): boolean {
  return stops.some((stop) => holdsWholeRun(stop, { run, campaign: campaign.name }));
}

/** A guard of ours found fault with it: its failures, or a gate. */
function isFailed({ stops }: StagesQuestion, run: string): boolean {
  return stops.some(({ scope, cause }) => scope === `run/${run}` && (cause === "failures" || cause === "gate"));
}

/** Of a run that is open. */
function nameOpen(question: StagesQuestion, view: RunView, stage: Stage): StageProgress["state"] {
  const { run } = view;
  if (isFailed(question, run.id)) return "Failed";
  if (isHeld(question, run.id)) return "Held";
  if (countLeft(view).left > 0) return "Running";
  const hasBegun = run.bake !== undefined || countHealthy(run.bake, question.snapshot.bakes?.get(run.id)) > 0;
  return hasBegun && !isBaked(run, stage.settings) ? "Baking" : "Running";
}

/** What ran and is not reached any more was rolled back. */
function nameFar(latest: RunRecord | undefined): StageProgress["state"] {
  return latest === undefined ? "Pending" : "RolledBack";
}

/** Of the stage that is to be proposed. */
function nameNext({ pull, stops, next }: StagesQuestion, latest: RunRecord | undefined): StageProgress["state"] {
  if (stops.length > 0) return "Held";
  if (pull?.stage === next?.name && pull?.state === "open") return "Proposed";
  return latest === undefined ? "Next" : "RolledBack";
}

/** Main reaches the stage by a run that is not the campaign's, and is not over. */
function findOther({ others }: StagesQuestion, { set }: Stage): RunRecord | undefined {
  return others.find(({ buckets }) => buckets.some((pattern) => Object.hasOwn(set, pattern)));
}

function nameState(question: StagesQuestion, stage: Stage, latest: RunRecord | undefined): StageProgress["state"] {
  const { campaign, head, views, next } = question;
  const view = views.find(({ run }) => run.id === latest?.id);
  if (view?.run.state === "open") return nameOpen(question, view, stage);
  if (isReached(campaign, stage, head.rollouts)) {
    const other = latest === undefined ? findOther(question, stage) : undefined;
    if (other === undefined) return "Completed";
    return isHeld(question, other.id) ? "Held" : "Running";
  }
  return stage === next ? nameNext(question, latest) : nameFar(latest);
}

/** Every stage of a campaign with its state, in the order of the file. */
export function describeStages(question: StagesQuestion): readonly StageProgress[] {
  const { campaign, head } = question;
  return campaign.stages.map((stage, index) => {
    const latest = findLatest(question, stage);
    const state = nameState(question, stage, latest);
    const reached = isReached(campaign, stage, head.rollouts);
    // What was rolled back has to bake again, whatever it is called meanwhile: held, or proposed once more.
    const hasBaked = reached && latest?.bake !== undefined && isBaked(latest, stage.settings);
    return {
      name: stage.name,
      index: index + 1,
      set: stage.set,
      state,
      reached,
      baked: state === "Completed" || hasBaked,
      ...(latest === undefined ? {} : { run: latest.id, startedAt: latest.startedAt }),
      ...(latest?.endedAt === undefined ? {} : { endedAt: latest.endedAt }),
    };
  });
}
