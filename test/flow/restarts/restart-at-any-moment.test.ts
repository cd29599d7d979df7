import { describe, expect, it } from "vitest";

import { type Left, narrowToMoved, playStory, undisturbed } from "./stories.ts";
import { storiesWithMoments } from "./moments.ts";

// A third of the moments, with each moment in at least one story; CI plays all of them (`npm run test:walks`).
describe.each(storiesWithMoments.map((story, index) => ({ ...story, index })))("$name", ({ index, ...story }) => {
  const chosen = story.moments.filter((_, moment) => (moment + index) % 3 === 0);
  let want: Promise<Left> | undefined;

  it.each(chosen)("$name: the same ledger, writes and messages as undisturbed", async ({ disturb }) => {
    want ??= playStory(story, undisturbed);
    const left = await playStory(story, disturb);
    expect(left).toEqual(narrowToMoved(story, await want, left));
  });
});
