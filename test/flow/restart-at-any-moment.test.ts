import { describe, expect, it } from "vitest";

import { endAtSeconds, killAtEachRecord, killAtEachWrite, killAtSeconds, type Victim } from "./restarts/kills.ts";
import { type Disturb, type Left, playStory, stories, undisturbed } from "./restarts/stories.ts";

interface Row {
  readonly name: string;
  readonly disturb: Disturb;
}

/** Every seven seconds, from another second on in each story: `npm run test:walks` draws all other moments. */
function eachSeven(name: string, victim: Victim, from: number): Row {
  const disturb = killAtSeconds(victim, (second) => second % 7 === from % 7);
  return { name, disturb };
}

function listRows(story: number): readonly Row[] {
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

describe.each(stories.map((story, index) => ({ ...story, index })))("$name", ({ index, ...story }) => {
  let want: Promise<Left> | undefined;

  it.each(listRows(index))("$name: the same ledger, writes and messages as undisturbed", async ({ disturb }) => {
    want ??= playStory(story, undisturbed);
    expect(await playStory(story, disturb)).toEqual(await want);
  });
});
