import type { FleetStatus } from "#libs/plan";

import type { Step } from "./scene.ts";

/** Where the demo's story stands, as a watcher of the status sees it. */
export type Chapter = "starting" | "proposed" | "moving" | "stopped" | "goingBack" | "over";

type Stop = FleetStatus["stops"][number];

/** The stop that failures placed on the newest run. */
export function findFailureStop({ stops, runs }: FleetStatus): Stop | undefined {
  return stops.find(({ cause, scope }) => cause === "failures" && runs.some(({ id }) => scope === `run/${id}`));
}

/** A rollback that a person asked for, or the return that carries it out. */
function isGoingBack({ stops }: FleetStatus): boolean {
  return stops.some(({ cause }) => cause === "rollback" || cause === "return");
}

/** What a watcher cannot see in one status. */
export interface SoFar {
  /** The pull request is there. */
  readonly isProposed: boolean;
  /** A run was seen. */
  readonly hasBegun: boolean;
}

export function nameChapter(status: FleetStatus, { isProposed, hasBegun }: SoFar): Chapter {
  if (status.runs.length === 0) return hasBegun ? "over" : isProposed ? "proposed" : "starting";
  if (isGoingBack(status)) return "goingBack";
  return findFailureStop(status) === undefined ? "moving" : "stopped";
}

const look: Step = { what: "where we are", command: "npx meshroll status" };
const why: Step = { what: "who and why", command: "npx meshroll history" };

function suggestWhenStopped(run: string): readonly Step[] {
  return [
    { what: "go back", command: `npx meshroll rollback run/${run} --reason "bad proxies"` },
    { what: "or mend it", command: "npm run demo -- mend" },
    { what: "and go on", command: `npx meshroll retry run/${run} --reason "mended"` },
  ];
}

/** What a person may type in another terminal, in this folder; with `--yes` the demo types it itself. */
export function suggestSteps(chapter: Chapter, status: FleetStatus | undefined, branch: string): readonly Step[] {
  switch (chapter) {
    case "proposed":
      return [
        { what: "who would move", command: `npx meshroll plan --from main --to ${branch}` },
        { what: "approve, merge", command: "npm run demo -- merge" },
        look,
      ];
    case "moving":
    case "goingBack":
      return [look, why];
    case "stopped":
      return suggestWhenStopped(status?.runs.at(-1)?.id ?? "");
    case "starting":
    case "over":
      return [];
  }
}
