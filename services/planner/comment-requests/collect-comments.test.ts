import { createFakeRemote } from "#fakes/git";
import { createFakeScm } from "#fakes/scm";
import { expect, test } from "vitest";

import { collectComments, createCommentMemory } from "./collect-comments.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

test("an hour without comments is read by two addresses at most, and a comment older than a day is not obeyed", async () => {
  let now = Date.UTC(2026, 10, 20, 9, 40);
  const remote = createFakeRemote();
  const hub = createFakeScm({ remote, now: () => now });
  const number = await hub.as("meshroll").putIssue("mark", { title: "T", body: "mark", label: "meshroll" });
  const scm = hub.as("meshroll");
  const asked = new Set<number>();
  const reader = {
    ...scm,
    recentComments: async (since: number) => {
      asked.add(since);
      return scm.recentComments(since);
    },
  };
  hub.say(number, { author: "ana", body: "/meshroll pause all 5xx" });
  now += day + minute;
  const memory = createCommentMemory();
  for (const end = now + hour; now < end; now += minute / 2) await collectComments(reader, memory, now);
  expect([asked.size <= 2, memory.waiting.size]).toEqual([true, 0]);

  hub.say(number, { author: "ana", body: "/meshroll pause all 5xx" });
  await collectComments(reader, memory, now);
  expect(memory.waiting.size).toBe(1);
});
