import { type CampaignStatus, narrowToRun, tellAnswers, type ToldAnswers, type ToldLine } from "#libs/plan";

import type { RunEnd, RunSight } from "../run-facts.ts";

/** Nothing of it moves any more, whether its end was heard or not. */
export function isOver({ facts, hasVanished }: RunSight): boolean {
  return facts.end !== undefined || hasVanished === true;
}

/** The status of the campaign that the open run belongs to. */
export function findCampaign({ facts, status }: RunSight): CampaignStatus | undefined {
  return status?.campaigns?.find(({ runs }) => runs.includes(facts.id));
}

const nothing: readonly ToldLine[] = [{ text: "nothing" }];

function nameUndo(id: string, moved: number | undefined): ToldLine {
  const what = moved === undefined ? "what it moved goes back" : `up to ${moved} workloads go back`;
  return { command: `meshroll rollback run/${id} --reason "…"`, text: `${what}, in batches; a hold stays` };
}

/** Before the planner said anything: what does not depend on it. */
function answerUnknown({ facts: { id, end } }: RunSight): ToldAnswers {
  const stop = { command: `meshroll pause run/${id} --reason "…"`, text: "starts nothing more; what rolls finishes" };
  const otherwise = ["not known yet"];
  return { where: [], doing: ["nothing"], waiting: nothing, otherwise, stop, undo: nameUndo(id, end?.arrived) };
}

/** The five answers about one run, in the words of every other surface (architecture §1, promise 5). */
export function answerFive(sight: RunSight): ToldAnswers {
  const { facts, run, status } = sight;
  const moved = facts.end?.arrived ?? (run === undefined ? undefined : run.arrived + run.moving);
  const told = status === undefined ? answerUnknown(sight) : tellAnswers(narrowToRun(status, facts.id, moved));
  if (!isOver(sight)) return told;
  // What is over does nothing, waits for nobody, and nothing becomes of it.
  const ended = { doing: ["nothing"], waiting: nothing, otherwise: ["nothing: the run is over"] };
  return { ...told, ...ended, stop: { text: "the run is over: nothing of it moves" } };
}

function isPaused({ facts, status, stage }: RunSight): boolean {
  const campaign = stage?.campaign ?? facts.campaign ?? "";
  const scopes = [`run/${facts.id}`, `campaign/${campaign}`, "all"];
  return status?.stops.some(({ scope, strength }) => strength === "move" && scopes.includes(scope)) ?? false;
}

function nameEnd({ state, aside, takenOverBy }: RunEnd): string {
  if (takenOverBy !== undefined) return `taken over by run ${takenOverBy}`;
  return state === "done" && aside > 0 ? "done, some aside" : state;
}

function isBaking(sight: RunSight): boolean {
  const campaign = findCampaign(sight);
  const { run } = sight;
  return campaign?.bake !== undefined && run !== undefined && run.moving + run.due + run.waiting === 0;
}

/** One word for a run's state, for people. */
export function nameState(sight: RunSight): string {
  const { facts, run, hasVanished } = sight;
  if (facts.end !== undefined) return nameEnd(facts.end);
  if (isPaused(sight)) return "paused";
  // Its end was told to nobody who still knows; `meshroll history` has it.
  if (hasVanished === true) return "over";
  if (run === undefined) return "started";
  if (isBaking(sight)) return "baking";
  if (run.moving + run.due > 0) return "running";
  return run.waiting > 0 ? "waiting" : "running";
}

/** What merged, as its author said it. */
export function nameSubject({ facts, run }: RunSight): string {
  return facts.subject ?? run?.subject ?? `run ${facts.id}`;
}

/** Campaign and stage where there are any, else what merged. */
export function nameRun(sight: RunSight): string {
  const { facts, stage } = sight;
  const campaign = stage?.campaign ?? facts.campaign;
  if (campaign === undefined) return nameSubject(sight);
  const name = stage?.stage ?? facts.stage;
  const place = stage?.index === undefined ? "" : ` [${stage.index}/${stage.of}]`;
  return name === undefined ? `${campaign}: ${nameSubject(sight)}` : `${campaign} · ${name}${place}`;
}

/** A run's workloads in numbers. */
export interface RunCounts {
  readonly arrived: number;
  readonly total: number;
  readonly moving: number;
  readonly waiting: number;
  readonly aside: number;
}

/** In place of the counts: what was taken over by a later run is no count of this one. */
export function nameHeir({ facts: { end } }: RunSight): string | undefined {
  return end?.takenOverBy === undefined ? undefined : `run ${end.takenOverBy} took its workloads over`;
}

const unknown = { arrived: 0, workloads: 0, moving: 0, waiting: 0, asideTotal: 0 };

/** As it ended, or as the status says; zero while nobody has said anything. */
export function countRun({ facts: { end }, run }: RunSight): RunCounts {
  if (end !== undefined) {
    return { arrived: end.arrived, total: end.arrived + end.aside, moving: 0, waiting: 0, aside: end.aside };
  }
  const { arrived, workloads, moving, waiting, asideTotal } = run ?? unknown;
  return { arrived, total: workloads, moving, waiting, aside: asideTotal };
}
