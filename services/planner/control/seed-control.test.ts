import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { printControlState, readControlState } from "#libs/events";
import type { RepositorySnapshot } from "#libs/repository";
import { createLogger } from "#libs/runtime";
import { makeLedger, sha } from "#test/world/build";
import { expect, test } from "vitest";

import { createControlSeeder } from "./seed-control.ts";

const view = (change: Partial<RepositorySnapshot> = {}): RepositorySnapshot => ({
  main: { head: sha("head"), ageMs: 0, contained: true, vanished: [], points: [] },
  ledger: makeLedger({ sequence: 7 }),
  specs: new Map(),
  ...change,
});

function makeBench() {
  const clock = createVirtualClock();
  const bucket = openFakeBus(createFakeBusServer()).bucket("control");
  const log = createLogger("test", [], "error", () => undefined);
  const read = async () => readControlState((await bucket.get("state"))?.value ?? "");
  return { clock, bucket, ...createControlSeeder(bucket, clock, log), read };
}

test("7.2 state is ledger head, main head and that it is seeded", async () => {
  const { seed, read } = makeBench();
  await seed(view());
  expect(await read()).toMatchObject({ main: sha("head"), ledger: sha("ledger"), seeded: true });
});

test("1.2 without a ledger control is not seeded", async () => {
  const { seed, read } = makeBench();
  await seed(view({ ledger: undefined }));
  expect([(await read())?.seeded, (await read())?.ledger]).toEqual([false, undefined]);
});

test("1.7 after a forced push control is not seeded", async () => {
  const { seed, read } = makeBench();
  await seed(view({ main: { ...view().main, contained: false } }));
  expect((await read())?.seeded).toBe(false);
});

test("12.1 control is rewritten every 2 s with a new beat, and at once when main or the ledger changed", async () => {
  const { clock, seed, read } = makeBench();
  const beats: (string | undefined)[] = [];
  const reconcile = async (each: RepositorySnapshot) => {
    await seed(each);
    beats.push((await read())?.beat);
  };
  await reconcile(view());
  await clock.advance(1999);
  await reconcile(view());
  await clock.advance(1);
  await reconcile(view());
  await reconcile(view({ ledger: makeLedger({ head: sha("next"), sequence: 8 }) }));
  const [first, second, third, fourth] = beats;
  expect([first === second, second === third, third === fourth]).toEqual([true, false, false]);
});

test("7.2 what another program writes to control is overwritten within two seconds", async () => {
  const { bucket, clock, seed, read } = makeBench();
  await seed(view());
  const own = {
    version: 1 as const,
    main: sha("m"),
    ledger: sha("newer"),
    seeded: true,
    beat: "other",
    writer: "other",
  };
  await bucket.put("state", printControlState(own));
  await clock.advance(2000);
  await seed(view());
  expect((await read())?.main).toBe(sha("head"));
});

test("9.1 after the bus was away the planner is another writer at once, so that executors publish", async () => {
  const { seed, renew, read } = makeBench();
  await seed(view());
  const before = await read();
  renew();
  await seed(view());
  const after = await read();
  expect(after?.writer).not.toBe(before?.writer);
  expect(after?.beat).not.toBe(before?.beat);
});
