import { createVirtualClock } from "#fakes/runtime";
import { ConfigProblems } from "#libs/runtime";
import { expect, test } from "vitest";

import { QueueUnavailable } from "../errors.ts";
import { followQueueServer } from "./follow-server.ts";
import type { QueueProbe } from "./probe.ts";

const good: QueueProbe = { version: "7.4.1", evictionPolicy: "noeviction", isAppendOnly: true, isFull: false };

/** Follows a Redis that gives these answers in order, the last one for ever; undefined: no answer. */
function follow(answers: readonly (QueueProbe | undefined)[]) {
  const clock = createVirtualClock();
  const told: string[][] = [];
  const stop = new AbortController();
  let asked = 0;
  const done = followQueueServer(
    {
      url: "redis://:very-secret@r:1",
      variable: "MESHROLL_REDIS_URL",
      clock,
      onProblems: (problems) => void told.push(problems.map(({ code }) => code)),
      probe: async () => {
        const answer = answers[Math.min(asked, answers.length - 1)];
        asked += 1;
        if (answer === undefined) throw new QueueUnavailable("no server there");
        return answer;
      },
    },
    stop.signal,
  );
  return { clock, told, done, stop, asked: () => asked };
}

test("a good Redis is not reported", async () => {
  const { clock, told, done, asked } = follow([good]);
  await done;
  await clock.advance(600_000);
  expect({ told, asked: asked() }).toEqual({ told: [], asked: 121 });
});

test("a problem is reported once, and its end once", async () => {
  const bad = { ...good, evictionPolicy: "allkeys-lru" };
  const { clock, told, done } = follow([bad, bad, { ...bad, isAppendOnly: false }, good]);
  await done;
  await clock.advance(1_200_000);
  expect(told).toEqual([["QueueEvicts"], ["QueueEvicts", "QueueForgets"], []]);
});

test("a Redis that is too old at the start ends the process, without showing its password", async () => {
  const { done } = follow([{ ...good, version: "6.0.16" }]);
  await expect(done).rejects.toThrow(ConfigProblems);
  await expect(done).rejects.toThrow("MESHROLL_REDIS_URL: Redis at r:1 is 6.0.16; needed is 6.2 or newer");
});

test("a Redis that is down at the start is checked when it answers; too old is then only reported", async () => {
  const { clock, told, done } = follow([undefined, undefined, { ...good, version: "6.0.16" }]);
  await done;
  await clock.advance(5_000);
  expect(told).toEqual([]);
  await clock.advance(5_000);
  expect(told).toEqual([["QueueTooOld"]]);
});

test("a Redis that becomes full is reported within ten seconds, and so is its end", async () => {
  const { clock, told, done } = follow([good, { ...good, isFull: true }, { ...good, isFull: true }, good]);
  await done;
  await clock.advance(10_000);
  expect(told).toEqual([["QueueFull"]]);
  await clock.advance(10_000);
  expect(told).toEqual([["QueueFull"], []]);
});

test("nothing is checked after the signal", async () => {
  const { clock, done, stop, asked } = follow([good]);
  await done;
  stop.abort();
  await clock.advance(1_000_000);
  expect(asked()).toBe(1);
});
