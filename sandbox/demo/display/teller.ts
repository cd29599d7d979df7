import type { FleetStatus } from "#libs/plan";

import type { Display } from "./display.ts";
import { campaignBranch } from "../world/people.ts";
import { type Chapter, isComplete, nameChapter, suggestSteps } from "../story/story.ts";

/** Suggests to the display what a person may type, after each change of the story's chapter. */
export interface Teller {
  /** Every namespace runs the target. */
  isOver(status: FleetStatus): boolean;
  reconcile(status: FleetStatus | undefined): void;
  /** To be called when the pull request with the campaign is open. */
  propose(): void;
}

/** Suggests steps for each status that it is given. */
export function createTeller(display: Display): Teller {
  let isProposed = false;
  let told = "";
  let newest: FleetStatus | undefined;
  const reconcile = (status: FleetStatus | undefined): void => {
    newest = status ?? newest;
    if (newest === undefined) return;
    const chapter: Chapter = nameChapter(newest, { isProposed });
    const steps = suggestSteps(chapter, newest, campaignBranch);
    const text = JSON.stringify([chapter, steps]);
    if (text !== told) display.suggest(steps);
    told = text;
  };
  return {
    isOver: isComplete,
    reconcile,
    propose: () => {
      isProposed = true;
      reconcile(undefined);
    },
  };
}
