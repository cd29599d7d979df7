import type { FleetStatus } from "#libs/plan";

import type { Display } from "./display.ts";
import { campaignBranch } from "../world/people.ts";
import { type Chapter, isComplete, nameChapter, suggestSteps } from "../story/story.ts";

/** Suggests to the display what a person may type, after each change of the story's chapter. */
export interface StepSuggester {
  /** Every namespace runs the target. */
  isOver(status: FleetStatus): boolean;
  update(status: FleetStatus | undefined): void;
  /** To be called when the pull request with the campaign is open. */
  markProposed(): void;
}

/** Suggests steps for each status that it is given. */
export function createStepSuggester(display: Display): StepSuggester {
  let isProposed = false;
  let suggested = "";
  let newest: FleetStatus | undefined;
  const update = (status: FleetStatus | undefined): void => {
    newest = status ?? newest;
    if (newest === undefined) return;
    const chapter: Chapter = nameChapter(newest, { isProposed });
    const steps = suggestSteps(chapter, newest, campaignBranch);
    const text = JSON.stringify([chapter, steps]);
    if (text !== suggested) display.suggest(steps);
    suggested = text;
  };
  return {
    isOver: isComplete,
    update,
    markProposed: () => {
      isProposed = true;
      update(undefined);
    },
  };
}
