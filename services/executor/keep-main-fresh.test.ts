import { createFakeRemote, openFakeRepository } from "#fakes/git";
import { createVirtualClock } from "#fakes/runtime";
import type { ControlState } from "#libs/events";
import { openLedger } from "#libs/ledger";
import { createMainline } from "#libs/mainline";
import { createLogger } from "#libs/runtime";
import { expect, test } from "vitest";

import { keepMainFresh } from "./keep-main-fresh.ts";

/** An executor's reading of main; every fetch is counted, and control says what the test says. */
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
  const mainline = createMainline(counted, openLedger(counted), clock);
  let state: ControlState | undefined;
  const control = { state: () => state, isFresh: () => true, asks: () => [] };
  const name = (main: string) => {
    state = { version: 1, main, seeded: true, sequence: 1, beat: main, writer: "planner" };
  };
  const stop = new AbortController();
  const log = createLogger("test", [], "error", () => undefined);
  void keepMainFresh({ mainline, control, clock, log, onChange: () => undefined }, stop.signal);
  await clock.settle();
  return { clock, remote, merge, mainline, fetches, name, stop };
}

test("12.1 main is fetched at the start and every 60 s", async () => {
  const { clock, fetches } = await makeBench();
  await clock.advance(125_000);
  expect(fetches).toEqual([0, 60_000, 120_000]);
});

test("4.3 it is fetched at once when control names a commit that is lacking", async () => {
  const { clock, merge, mainline, fetches, name } = await makeBench();
  await clock.advance(10_000);
  const raised = merge();
  name(raised);
  await clock.advance(500);
  expect([mainline.view()?.main.head, fetches]).toEqual([raised, [0, 10_500]]);
});

test("4.3 a name that cannot be fetched is not fetched for again and again", async () => {
  const { clock, fetches, name } = await makeBench();
  name("f".repeat(40));
  await clock.advance(59_000);
  expect(fetches).toEqual([0, 500]);
});

test("12.1 while git is away it is tried again, and the last main stays", async () => {
  const { clock, remote, merge, mainline } = await makeBench();
  const before = mainline.view()?.main.head;
  remote.setUnavailable(true);
  const raised = merge();
  await clock.advance(120_000);
  const during = mainline.view()?.main.head;
  remote.setUnavailable(false);
  await clock.advance(1000);
  expect([during, mainline.view()?.main.head]).toEqual([before, raised]);
});

test("it ends with its signal", async () => {
  const { clock, fetches, stop } = await makeBench();
  stop.abort();
  await clock.advance(300_000);
  expect(fetches).toEqual([0]);
});
