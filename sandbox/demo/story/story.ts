import type { FleetStatus } from "#libs/plan";

import { campaignName } from "../world/files.ts";
import type { Step } from "./step.ts";

/** Where the scenario is, as read from the status. */
export type Chapter = "starting" | "proposed" | "migrating" | "stopped" | "rollingBack" | "held" | "over";

type Stop = FleetStatus["stops"][number];
type Campaign = NonNullable<FleetStatus["campaigns"]>[number];

/** The demo's campaign, once it is merged. */
export function findCampaign({ campaigns }: FleetStatus): Campaign | undefined {
  return campaigns?.find(({ name }) => name === campaignName);
}

/** Every namespace runs the target. */
export function isComplete(status: FleetStatus): boolean {
  return findCampaign(status)?.state === "Completed" && status.runs.length === 0;
}

/** The stage's pull request merges itself after its notice. */
export function mergesItself(status: FleetStatus): boolean {
  return findCampaign(status)?.waiting.some(({ code }) => code === "MergeNotice") === true;
}

/** True while the stage's pull request is open for a person and its plan check is green: a person may approve it. */
export function isWaitingForReview(status: FleetStatus, stage: string): boolean {
  const pull = findCampaign(status)?.pull;
  const isOpen = pull?.stage === stage && pull.state === "open" && pull.checks?.plan === "success";
  return isOpen && !mergesItself(status);
}

/** The open run of a stage. */
export function findStageRun(status: FleetStatus, stage: string): FleetStatus["runs"][number] | undefined {
  const campaign = findCampaign(status);
  const id = campaign?.stages.find(({ name }) => name === stage)?.run;
  return status.runs.find((run) => run.id === id);
}

/** The stop that failures placed on an open run. */
export function findFailureStop({ stops, runs }: FleetStatus): Stop | undefined {
  return stops.find(({ cause, scope }) => cause === "failures" && runs.some(({ id }) => scope === `run/${id}`));
}

/** A rollback's hold keeps the stage back until a person ends it. */
export function isHeldBack({ stops }: FleetStatus): boolean {
  return stops.some(({ cause }) => cause === "rolledBack");
}

/** What is not in the status. */
export interface SoFar {
  /** The pull request with the campaign is open. */
  readonly isProposed: boolean;
}

/** The chapter while no run is open. */
function nameChapterWithoutRun(status: FleetStatus, isProposed: boolean): Chapter {
  const campaign = findCampaign(status);
  if (campaign === undefined) return isProposed ? "proposed" : "starting";
  if (isComplete(status)) return "over";
  if (isHeldBack(status)) return "held";
  return isWaitingForReview(status, campaign.pull?.stage ?? "") ? "proposed" : "migrating";
}

export function nameChapter(status: FleetStatus, { isProposed }: SoFar): Chapter {
  if (status.runs.length === 0) return nameChapterWithoutRun(status, isProposed);
  // `rollback` is the stop of a requested rollback, `rolledBack` the hold that a rollback leaves.
  if (status.stops.some(({ cause }) => cause === "rollback" || cause === "rolledBack")) return "rollingBack";
  return findFailureStop(status) === undefined ? "migrating" : "stopped";
}

const showCampaign: Step = { what: "where we are", command: `npx meshroll status ${campaignName}` };
/** For the time before the campaign is merged, when `status` does not know its name. */
const showFleet: Step = { what: "where we are", command: "npx meshroll status" };
const why: Step = { what: "who and why", command: "npx meshroll history" };

function suggestWhenStopped(run: string): readonly Step[] {
  return [
    { what: "look", command: `npx meshroll get failures run/${run}` },
    { what: "fix it", command: "npm run demo -- fix" },
    { what: "then retry", command: `npx meshroll retry run/${run} --reason "fixed"` },
    { what: "or roll back", command: `npx meshroll rollback run/${run} --reason "bad proxies"` },
  ];
}

function suggestReview(status: FleetStatus | undefined, campaignBranch: string): readonly Step[] {
  const campaign = status === undefined ? undefined : findCampaign(status);
  const branch = campaign?.pull?.branch ?? campaignBranch;
  return [
    { what: "who would move", command: `npx meshroll plan --from main --to ${branch}` },
    { what: "approve, merge", command: "npm run demo -- merge" },
    campaign === undefined ? showFleet : showCampaign,
  ];
}

function suggestAfterRollback(status: FleetStatus | undefined): readonly Step[] {
  const holds = status?.stops.filter(({ cause }) => cause === "rolledBack") ?? [];
  return [
    { what: "fix it", command: "npm run demo -- fix" },
    ...holds.map(({ command }) => ({ what: "then unhold", command: `npx ${command.replace("…", "fixed")}` })),
    showCampaign,
  ];
}

type Suggestion = (status: FleetStatus | undefined, branch: string) => readonly Step[];

const suggestions: Readonly<Record<Chapter, Suggestion>> = {
  starting: () => [],
  proposed: suggestReview,
  migrating: () => [showCampaign, why],
  stopped: (status) => suggestWhenStopped(status?.runs.at(-1)?.id ?? ""),
  rollingBack: () => [showCampaign, why],
  held: suggestAfterRollback,
  over: () => [],
};

/** What a person may type in another terminal, in this folder; with `--yes` the demo types it itself. */
export function suggestSteps(chapter: Chapter, status: FleetStatus | undefined, branch: string): readonly Step[] {
  return suggestions[chapter](status, branch);
}
