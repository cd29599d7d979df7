import { describe, expect, it } from "vitest";

import { countOn, file, openShop, listMovedPaths } from "../shop.ts";
import { endAtSeconds, killAtSeconds, type Victim } from "./kills.ts";
import { type Left, narrowToMoved, playStory, stories, undisturbed } from "./stories.ts";

const story = stories.find(({ name }) => name === "a run that goes on past a workload that does not get ready");

interface ShortLife {
  readonly victim: Victim;
  /** How long each process lives after its start, s. */
  readonly life: number;
  /** Second of the story at which the first process is killed: the worst ones found. */
  readonly from: number;
}

const cases: readonly ShortLife[] = [
  { victim: "executor", life: 5, from: 4 },
  { victim: "executor", life: 4, from: 0 },
  { victim: "executor", life: 3, from: 2 },
  { victim: "both", life: 3, from: 1 },
];

describe("processes that live only a few seconds", () => {
  let want: Promise<Left> | undefined;

  it.each(cases)("$victim, killed every $life s from second $from on: the same as undisturbed", async (each) => {
    if (story === undefined) throw new Error("no such story");
    want ??= playStory(story, undisturbed);
    const { victim, life, from } = each;
    expect(
      await playStory(
        story,
        killAtSeconds(victim, (second) => second % life === from),
      ),
    ).toEqual(await want);
  });

  it("a job that another process began moves no further workload: its run may have to stop first", async () => {
    const stopped = stories.find(({ name }) => name === "a run that is stopped because a workload does not get ready");
    if (stopped === undefined) throw new Error("no such story");
    const left = await playStory(
      stopped,
      endAtSeconds("both", (second) => second % 11 === 0),
    );
    expect(left).toEqual(narrowToMoved(stopped, await playStory(stopped, undisturbed), left));
  });

  it("an executor killed every second may take long, and moves nothing twice", async () => {
    const flow = await openShop();
    flow.whenMerged(file(100));
    for (let second = 0; second < 120; second += 1) {
      await flow.pass(1000);
      flow.dropExecutor();
      await flow.pass(0);
      flow.startExecutor();
    }
    await flow.untilRunsEnd(1);

    expect(listMovedPaths(flow)).toHaveLength(6);
    expect(countOn(flow, "new")).toBe(6);
    await flow.end();
  });
});
