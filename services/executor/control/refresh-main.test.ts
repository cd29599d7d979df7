import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import type { ControlState } from "#libs/events";
import { openLedger } from "#libs/ledger";
import { createRepositorySnapshots } from "#libs/repository";
import { createLogger } from "#libs/runtime";
import { expect, test } from "vitest";

import { refreshMain } from "./refresh-main.ts";

/** An executor's fetch loop with a count of fetches, and a control that the test sets. */
async function makeBench() {
  const clock = createVirtualClock();
  const remote = createFakeRemote();
  const merge = () => remote.commitToMain({ files: { "rollouts.yml": "production: { old: 100 }\n" } });
  merge();
  const repository = openFakeRepository(remote);
  const fetches: number[] = [];
  const counted = {
    ...repository,
    fetch: async (signal?: AbortSignal) => {
      fetches.push(clock.monotonic());
      return repository.fetch(signal);
    },
  };
  const repositorySnapshots = createRepositorySnapshots(counted, openLedger(counted), clock);
  let state: ControlState | undefined;
  const control = { state: () => state, isFresh: () => true, requests: () => [] };
  const name = (main: string) => {
    state = { version: 1, main, seeded: true, beat: main, writer: "planner" };
  };
  const stop = new AbortController();
  const log = createLogger("test", [], "error", () => undefined);
  void refreshMain({ repositorySnapshots, control, clock, log, onChange: () => undefined }, stop.signal, () => 0);
  await clock.settle();
  return { clock, remote, merge, repositorySnapshots, fetches, name, stop };
}

test("12.1 main is fetched at the start and every 60 s", async () => {
  const { clock, fetches } = await makeBench();
  await clock.advance(125_000);
  expect(fetches).toEqual([0, 60_000, 120_000]);
});

test("4.3 it is fetched at once when control names a commit that is missing", async () => {
  const { clock, merge, repositorySnapshots, fetches, name } = await makeBench();
  await clock.advance(10_000);
  const raised = merge();
  name(raised);
  await clock.advance(500);
  expect([repositorySnapshots.view()?.main.head, fetches]).toEqual([raised, [0, 10_500]]);
});

test("4.3 a commit that cannot be fetched is tried less and less often, and then every 60 s", async () => {
  const { clock, fetches, name } = await makeBench();
  name("f".repeat(40));
  await clock.advance(190_000);
  expect(fetches).toEqual([0, 500, 2_500, 6_500, 14_500, 30_500, 62_500, 122_500, 182_500]);
});

test("4.3 a commit that a lagging replica gets later is read within seconds, not after a minute", async () => {
  const { clock, merge, repositorySnapshots, remote, fetches, name } = await makeBench();
  const old = remote.head("main");
  const raised = merge();
  await clock.advance(0);
  name(raised);
  // The replica that answers lags behind the one that took the push.
  remote.forceMain(old ?? "");
  await clock.advance(1000);
  remote.forceMain(raised);
  await clock.advance(2000);
  expect([repositorySnapshots.view()?.main.head, fetches]).toEqual([raised, [0, 500, 2_500]]);
});

test("12.1 while git is away the fetch is repeated, and the last main stays", async () => {
  const { clock, remote, merge, repositorySnapshots, fetches } = await makeBench();
  const before = repositorySnapshots.view()?.main.head;
  remote.setUnavailable(true);
  const raised = merge();
  await clock.advance(120_000);
  const during = repositorySnapshots.view()?.main.head;
  remote.setUnavailable(false);
  await clock.advance(5500);
  expect([during, repositorySnapshots.view()?.main.head]).toEqual([before, raised]);
  // Due at 60 s, and tried again from then on, in the end every five seconds.
  expect(fetches.length).toBeLessThan(20);
});

test("it ends with its signal", async () => {
  const { clock, fetches, stop } = await makeBench();
  stop.abort();
  await clock.advance(300_000);
  expect(fetches).toEqual([0]);
});
