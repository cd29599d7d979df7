import { createRandom } from "#fakes/kube";
import { isDeepStrictEqual } from "node:util";

import { endAtSeconds, killAtSeconds, type Victim } from "./kills.ts";
import { type Left, narrowToMoved, playStory, stories, undisturbed } from "./stories.ts";

const victims: readonly Victim[] = ["planner", "executor", "both"];

function pick<T>(all: readonly T[], share: number): T {
  const chosen = all[Math.floor(share * all.length)];
  if (chosen === undefined) throw new Error("bug: nothing to draw from");
  return chosen;
}

const wanted = new Map<string, Promise<Left>>();

/**
 * The shortest life in which a process still makes progress, s: it sees control change within 2 s of its start, and gets the
 * batch of a killed predecessor in each second or third life (`short-lives.test.ts`).
 */
const leastLife = 3;

/** Plays one story in which processes are killed, or asked to end, at moments drawn from the seed. */
export async function playDrawnRestarts(
  seed: string,
): Promise<{ readonly faults: readonly string[]; readonly story: readonly string[] }> {
  const random = createRandom(seed);
  const story = pick(stories, random());
  const victim = pick(victims, random());
  const isKill = random() < 0.7;
  const [every, from] = [leastLife + Math.floor(random() * 20), Math.floor(random() * 20)];
  const isMoment = (second: number): boolean => second % every === from % every;
  const told = [
    story.name,
    `${victim} ${isKill ? "killed" : "asked to end"} each ${every} s from ${from % every} s on`,
  ];
  const want = wanted.get(story.name) ?? playStory(story, undisturbed);
  wanted.set(story.name, want);
  try {
    const left = await playStory(story, (isKill ? killAtSeconds : endAtSeconds)(victim, isMoment));
    const due = narrowToMoved(story, await want, left);
    if (isDeepStrictEqual(left, due)) return { faults: [], story: told };
    return { faults: [`left ${JSON.stringify(left)}, undisturbed ${JSON.stringify(due)}`], story: told };
  } catch (error) {
    return { faults: [String(error)], story: told };
  }
}
