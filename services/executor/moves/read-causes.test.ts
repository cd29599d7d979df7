import { createVirtualClock } from "#fakes/runtime";
import type { Cluster } from "#libs/kube";
import { createLogger } from "#libs/runtime";
import { expect, test } from "vitest";

import { readCauses } from "./read-causes.ts";

const crashed = {
  ready: false,
  containers: [
    { name: "app", image: "acme/app:2", role: "app", ready: false, restarts: 0, state: { kind: "ended", exitCode: 1 } },
  ],
} as const;
const cause = { code: "Crash", container: "app", exitCode: 1, restarts: 0 };

type Read = Cluster["readRollout"];

const answer: Read = async () => ({ kind: "read", rollout: { pods: [crashed] } });

type Make = (clock: ReturnType<typeof createVirtualClock>) => Read;

const never: Make = () => async () => Promise.withResolvers<never>().promise;

function answerAfter(ms: number): Make {
  return (clock) => async (ref) => {
    await clock.sleepReal(ms);
    return answer(ref);
  };
}

/** Reads the causes of so many failures in one reconcile: how many are known, how long it took, and what the log says. */
async function readAll(count: number, make: Make, known: Parameters<typeof readCauses>[2] = new Map()) {
  const clock = createVirtualClock();
  const lines: string[] = [];
  const log = createLogger("test", [], "warn", (line) => lines.push(line));
  const failed = Array.from({ length: count }, (_, index) => {
    return { namespace: "shop", kind: "Deployment", name: `web-${index}` } as const;
  });
  const started = clock.monotonic();
  const reading = readCauses({ cluster: { readRollout: make(clock) }, clock, log }, failed, known).then((causes) => ({
    causes,
    known: causes.size,
    took: clock.monotonic() - started,
  }));
  await clock.advance(10_000);
  return { ...(await reading), lines };
}

const cases: Readonly<
  Record<string, { readonly count?: number; readonly make: Make; readonly known: number; readonly took: number }>
> = {
  "one that answers at once: every cause is known": { make: () => answer, known: 1000, took: 0 },
  "one that takes 200 ms: after two seconds the undos go on without": {
    make: answerAfter(200),
    known: 40,
    took: 2000,
  },
  "a slow one, of a few failures: every cause is known": { count: 4, make: answerAfter(3000), known: 4, took: 3000 },
  "one that never answers: no longer is waited for it": { make: never, known: 0, took: 3500 },
  "one that throttles the reads": { make: () => async () => ({ kind: "unread", why: "not sent" }), known: 0, took: 0 },
};

test.each(Object.entries(cases))("causes from an API server: %s", async (_, { count = 1000, make, known, took }) => {
  const seen = await readAll(count, make);
  expect([seen.known, seen.took]).toEqual([known, took]);
});

test("what came too late is known at the next reconcile, and is not read again", async () => {
  const late = await readAll(2, answerAfter(4000));
  expect(late.took).toBe(3500);
  expect([...late.causes.values()]).toEqual([cause, cause]);
  const next = await readAll(1, never, late.causes);
  expect([next.took, [...next.causes]]).toEqual([0, [["shop/Deployment/web-0", cause]]]);
});

test("the log says once how many causes were not read in time", async () => {
  const { lines } = await readAll(1000, never);
  expect(lines).toEqual([expect.stringContaining('"failures":1000')]);
});

test("a read that fails is logged, and the undo goes on", async () => {
  const broken: Make = () => async () => {
    throw new Error("broken");
  };
  const { known, lines } = await readAll(1, broken);
  expect([known, lines]).toEqual([0, [expect.stringContaining("broken")]]);
});
