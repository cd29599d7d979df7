import { createVirtualClock } from "#fakes/runtime";
import { QueueUnavailable } from "#libs/queue";
import { wordsOf } from "#test/world/words";
import { expect, test } from "vitest";

import { createQueueHealth } from "./queue-health.ts";

const full = { code: "QueueFull", message: "Redis at r:1 is full", help: "more memory" } as const;
const evicts = { code: "QueueEvicts", message: "Redis at r:1 evicts", help: "noeviction" } as const;

test("a problem of the server counts until the next check", async () => {
  const clock = createVirtualClock();
  const health = createQueueHealth(clock);
  health.judged([evicts, full]);
  await clock.advance(60_000);
  expect(wordsOf(health.trouble())).toEqual({
    code: "QueueFull",
    message: "Redis at r:1 is full: no new batch starts",
    owner: "the operator of Redis",
    command: "more memory",
  });
  health.judged([evicts]);
  expect(health.trouble()).toBe(undefined);
});

test("a refused batch is reported for five seconds, and then tried again", async () => {
  const clock = createVirtualClock();
  const health = createQueueHealth(clock);
  health.failed(new QueueUnavailable("the login is refused", { code: "QueueLoginRefused" }));
  await clock.advance(4_999);
  expect(health.trouble()).toMatchObject({ code: "QueueLoginRefused" });
  await clock.advance(1);
  expect(health.trouble()).toBe(undefined);
});
