import { isDeepStrictEqual } from "node:util";

import { endAtSeconds, killAtEachRecord, killAtEachWrite, killAtSeconds, type Victim } from "./kills.ts";
import { type Disturb, narrowToMoved, playStory, stories, type Story, undisturbed } from "./stories.ts";

export interface Moment {
  readonly name: string;
  readonly disturb: Disturb;
}

/** Every seven seconds, with another offset in each story. `npm run test:walks` draws all other moments. */
function eachSeven(name: string, victim: Victim, from: number): Moment {
  const disturb = killAtSeconds(victim, (second) => second % 7 === from % 7);
  return { name, disturb };
}

function listMoments(story: number): readonly Moment[] {
  return [
    { name: "the planner is killed at each record, before it hears of it", disturb: killAtEachRecord("planner") },
    { name: "both are killed at each record, before they hear of it", disturb: killAtEachRecord("both") },
    { name: "the executor is killed at each write, before it hears of it", disturb: killAtEachWrite("executor") },
    { name: "both are killed at each write, before they hear of it", disturb: killAtEachWrite("both") },
    eachSeven("the planner is killed every seven seconds", "planner", story),
    eachSeven("the executor is killed every seven seconds", "executor", story + 2),
    eachSeven("both are killed every seven seconds", "both", story + 4),
    {
      name: "both are asked to end every eleven seconds",
      disturb: endAtSeconds("both", (second) => second % 11 === 0),
    },
  ];
}

/** Each story with its worst moments. */
export const storiesWithMoments: readonly (Story & { readonly moments: readonly Moment[] })[] = stories.map(
  (story, index) => ({ ...story, moments: listMoments(index) }),
);

/** Plays the moment with this number, and reports what it leaves that the undisturbed story does not. */
export async function playMoments(
  seed: string,
): Promise<{ readonly faults: readonly string[]; readonly story: readonly string[] }> {
  const all = storiesWithMoments.flatMap((story) => story.moments.map((moment) => ({ story, moment })));
  const chosen = all[Number(seed)];
  if (chosen === undefined) throw new Error(`there are ${all.length} moments, and none has the number ${seed}`);
  const { story, moment } = chosen;
  const got = await playStory(story, moment.disturb);
  const want = narrowToMoved(story, await playStory(story, undisturbed), got);
  const faults = isDeepStrictEqual(got, want)
    ? []
    : [`left ${JSON.stringify(got)}, undisturbed ${JSON.stringify(want)}`];
  return { faults, story: [story.name, moment.name] };
}

/** Number of all moments. */
export const momentCount = storiesWithMoments.flatMap(({ moments }) => moments).length;
