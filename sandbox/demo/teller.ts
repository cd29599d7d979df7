import type { FleetStatus } from "#libs/plan";

import type { Display } from "./display.ts";
import { branch } from "./people.ts";
import { type Chapter, nameChapter, suggestSteps } from "./story.ts";

/** Tells the display what a person may type, whenever the story went on. */
export interface Teller {
  /** There was a run, and none is open any more. */
  isOver(status: FleetStatus): boolean;
  look(status: FleetStatus | undefined): void;
  /** The pull request is open. */
  propose(): void;
}

/** Looks at each status that comes. */
export function createTeller(display: Display): Teller {
  let soFar = { isProposed: false, hasBegun: false };
  let last: Chapter | undefined;
  let newest: FleetStatus | undefined;
  const look = (status: FleetStatus | undefined): void => {
    newest = status ?? newest;
    if (newest === undefined) return;
    soFar = { ...soFar, hasBegun: soFar.hasBegun || newest.runs.length > 0 };
    const chapter = nameChapter(newest, soFar);
    if (chapter !== last) display.suggest(suggestSteps(chapter, newest, branch));
    last = chapter;
  };
  return {
    isOver: ({ runs }) => soFar.hasBegun && runs.length === 0,
    look,
    propose: () => {
      soFar = { ...soFar, isProposed: true };
      look(undefined);
    },
  };
}
