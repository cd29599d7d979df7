import { type CampaignStatus, holdsWholeRun, narrowToRun, tellAnswers, type ToldAnswers } from "#libs/plan";
import {
  idleLine,
  lineCommand,
  nameTakeover,
  nothingLine,
  printEndCounts,
  printRunParts,
  renderPause,
  renderUndo,
  type TextLine,
  writeLine,
} from "#libs/wording";

import type { RunEnd, RunReport } from "../facts/run-facts.ts";

/** Nothing of the run moves any more, whether or not a message reported its end. */
export function isOver({ facts, hasVanished }: RunReport): boolean {
  return facts.end !== undefined || hasVanished === true;
}

/** The status of the campaign that the open run belongs to. */
export function findCampaign({ facts, status }: RunReport): CampaignStatus | undefined {
  return status?.campaigns?.find(({ runs }) => runs.includes(facts.id));
}

const nothing: readonly TextLine[] = [nothingLine];
const idle: readonly TextLine[] = [idleLine];

/** The part of the answers that does not depend on the planner. */
function answerUnknown({ facts: { id, end } }: RunReport): ToldAnswers {
  const stop = lineCommand(renderPause({ code: "Run", run: id }));
  const undo = lineCommand(renderUndo({ code: "RollsBack", run: id, extent: { moved: end?.migrated } }));
  return { where: [], rollouts: idle, waiting: nothing, next: [writeLine("not known yet")], stop, undo };
}

/** The five answers about one run, in the words of all other surfaces. */
export function answerFive(report: RunReport): ToldAnswers {
  const { facts, run, status } = report;
  const moved = facts.end?.migrated ?? (run === undefined ? undefined : run.migrated + run.migrating);
  const told = status === undefined ? answerUnknown(report) : tellAnswers(narrowToRun(status, facts.id, moved));
  if (!isOver(report)) return told;
  // An ended run does nothing, waits for nothing, and nothing follows.
  const ended: Pick<ToldAnswers, "rollouts" | "waiting" | "next"> = {
    rollouts: idle,
    waiting: nothing,
    next: [writeLine("nothing: the run has ended")],
  };
  return { ...told, ...ended, stop: writeLine("the run has ended: nothing of it moves") };
}

function isPaused({ facts, status, stage }: RunReport): boolean {
  const run = { run: facts.id, campaign: stage?.campaign ?? facts.campaign };
  return status?.stops.some((stop) => holdsWholeRun(stop, run)) ?? false;
}

function nameEnd({ state, skipped, takenOverBy, rolledBack }: RunEnd): string {
  if (takenOverBy !== undefined) return nameTakeover(takenOverBy, rolledBack === true);
  return state === "done" && skipped > 0 ? "done, some skipped" : state;
}

function isBaking(report: RunReport): boolean {
  const campaign = findCampaign(report);
  const { run } = report;
  return campaign?.bake !== undefined && run !== undefined && run.migrating + run.pending + run.waiting === 0;
}

/** A run's state in one or a few words, for people. */
export function nameState(report: RunReport): string {
  const { facts, run, hasVanished } = report;
  if (facts.end !== undefined) return nameEnd(facts.end);
  if (isPaused(report)) return "paused";
  // No message about its end is left; `meshroll history` has it.
  if (hasVanished === true) return "over";
  if (run === undefined) return "started";
  if (isBaking(report)) return "baking";
  if (run.migrating + run.pending > 0) return "running";
  return run.waiting > 0 ? "waiting" : "running";
}

/** The merged change, in its author's words. */
export function nameSubject({ facts, run }: RunReport): string {
  return facts.subject ?? run?.subject ?? `run ${facts.id}`;
}

/** Campaign and stage where there are any, else the merged change. */
export function nameRun(report: RunReport): string {
  const { facts, stage } = report;
  const campaign = stage?.campaign ?? facts.campaign;
  if (campaign === undefined) return nameSubject(report);
  const name = stage?.stage ?? facts.stage;
  const place = stage?.index === undefined ? "" : ` [${stage.index}/${stage.of}]`;
  return name === undefined ? `${campaign}: ${nameSubject(report)}` : `${campaign} · ${name}${place}`;
}

/** A run's workloads in numbers. */
export interface RunCounts {
  readonly migrated: number;
  readonly idle: number;
  readonly total: number;
  readonly migrating: number;
  readonly waiting: number;
  readonly skipped: number;
  /** Why its pull request listed another number; "" where it did not, and after its end. */
  readonly parts: string;
}

/** Shown in place of the counts where a later run took over: that run, and the counts of before. */
export function nameSuccessor({ facts: { end } }: RunReport): string | undefined {
  if (end?.takenOverBy === undefined) return undefined;
  return `${nameTakeover(end.takenOverBy, end.rolledBack === true)}: ${printEndCounts(end)}`;
}

const unknown = { migrated: 0, idle: 0, workloads: 0, migrating: 0, waiting: 0, skippedTotal: 0 };

/** The counts at its end, or of the status; zero while unknown. */
export function countRun({ facts: { end }, run }: RunReport): RunCounts {
  if (end !== undefined) {
    const { migrated, idle = 0 } = end;
    return {
      migrated,
      idle,
      total: migrated + idle + end.skipped,
      migrating: 0,
      waiting: 0,
      skipped: end.skipped,
      parts: "",
    };
  }
  const { migrated, idle, workloads, migrating, waiting, skippedTotal } = run ?? unknown;
  const parts = run === undefined ? "" : printRunParts(run);
  return { migrated, idle, total: workloads, migrating, waiting, skipped: skippedTotal, parts };
}
