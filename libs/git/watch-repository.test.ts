import { createVirtualClock } from "#fakes/runtime";
import { expect, test } from "vitest";

import { createFakeRemote, openFakeRepository } from "./fake.ts";
import { watchRepository } from "./watch-repository.ts";

test("a hanging server is reported after five seconds, a failing one until it answers again", async () => {
  const clock = createVirtualClock();
  const remote = createFakeRemote();
  remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
  const untilGivenUp = async (signal: AbortSignal | undefined) => clock.sleepReal(10_000, signal);
  const { repository, findSilence } = watchRepository(openFakeRepository(remote, { untilGivenUp }), clock);
  const said: (string | undefined)[] = [];
  const speak = remote.hang();
  const fetching = repository.fetch().catch(() => undefined);
  await clock.advance(4_000);
  said.push(findSilence());
  await clock.advance(2_000);
  said.push(findSilence());
  await clock.advance(6_000);
  await fetching;
  said.push(findSilence());
  speak();
  await repository.fetch();
  said.push(findSilence());
  expect(said).toEqual([
    undefined,
    "git has not answered a fetch for 6 s",
    "git has answered no fetch and no push for 2 s",
    undefined,
  ]);
});
