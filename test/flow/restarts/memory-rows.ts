import { openFakeBus } from "#fakes/bus";
import { expect } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, refOf, listMovedPaths } from "../shop.ts";

/** A value that exists only in a process's memory, and a play with a restart at the worst moment for it. */
export interface MemoryRow {
  readonly value: string;
  /** Fields of `defaults` next to `batch`. */
  readonly settings?: string;
  /** Called before any process starts. */
  readonly prepare?: (flow: FleetFlow) => void;
  /** Plays to the end; in the undisturbed play `restart` does nothing. */
  readonly play: (flow: FleetFlow, restart: () => Promise<void>) => Promise<void>;
}

export const names = ["a", "b", "c", "d"];

async function moveHalf(flow: FleetFlow): Promise<void> {
  flow.whenMerged(file(100));
  await flow.until("the first batch is written", () => listMovedPaths(flow).length === 2);
}

const isAnyOver = async (flow: FleetFlow): Promise<boolean> =>
  (await flow.runs()).some(({ state }) => state !== "open");
const readCodes = async (flow: FleetFlow): Promise<readonly string[]> =>
  (await flow.status())?.waiting.map(({ code }) => code) ?? [];

async function untilWaiting(flow: FleetFlow, code: string): Promise<void> {
  await flow.until(`status says ${code}`, async () => (await readCodes(flow)).includes(code), 120_000);
}

async function readProblems(flow: FleetFlow): Promise<string> {
  const text = (await flow.bucket("inventory").get("one._"))?.value ?? "{}";
  return (JSON.parse(text) as { problems?: readonly string[] }).problems?.join() ?? "";
}

async function countStops(flow: FleetFlow): Promise<number> {
  return Object.keys((await flow.ledger())?.stops ?? {}).length;
}

/** Places a stop on all, and waits until it is in the ledger and no longer on the bus. */
async function stopAll(flow: FleetFlow): Promise<void> {
  await flow.whenAsked({ verb: "stop", scope: "all" });
  await flow.until("the stop is recorded", async () => (await countStops(flow)) === 1, 60_000);
  await flow.pass(15_000);
}

const gate = "{ name: errors, when: during, onFail: pause, prometheus: { query: e, max: 0.02, interval: 20s } }";

export const plannerRows: readonly MemoryRow[] = [
  {
    value: "the last good measurement of such a gate",
    settings: `bake: 40s\n  gates: [${gate}]`,
    prepare(flow) {
      flow.prometheus = { query: async () => ({ kind: "value", value: 0.01 }) };
    },
    async play(flow, restart) {
      await moveHalf(flow);
      await restart();
      await flow.until("its bake began", async () => (await flow.runs())[0]?.bake !== undefined);
      await restart();
      await flow.pass(21_000);
      await restart();
    },
  },
  {
    value: "for how long a bake has been interrupted",
    settings: "bake: 40s",
    async play(flow, restart) {
      await moveHalf(flow);
      await flow.until("its bake began", async () => (await flow.runs())[0]?.bake !== undefined);
      const fix = flow.model("one").breakWorkload(refOf("a"), { how: "crash" });
      await flow.pass(20_000);
      await restart();
      await flow.pass(100_000);
      expect(await isAnyOver(flow)).toBe(false);
      fix();
    },
  },
  {
    value: "main, ledger and parsed files as fetched last; since when git has not answered, and when it is tried next",
    async play(flow, restart) {
      await moveHalf(flow);
      const speak = flow.server.hang("planner");
      await restart();
      await flow.pass(60_000);
      speak();
    },
  },
  {
    value: "inventory of all clusters, and when each changed last",
    async play(flow, restart) {
      await moveHalf(flow);
      await flow.killExecutor();
      await flow.pass(1000);
      await restart();
      await flow.pass(90_000);
      const stood = listMovedPaths(flow).length;
      flow.startExecutor();
      expect(stood).toBe(2);
    },
  },
  {
    value: "verbs on their way, and those that were refused",
    async play(flow, restart) {
      await moveHalf(flow);
      await flow.whenAsked({ verb: "resume", scope: "all" });
      await flow.whenAsked({ verb: "stop", scope: "all" });
      await restart();
      await flow.until("the stop is recorded", async () => (await countStops(flow)) === 1, 60_000);
      await restart();
      await flow.pass(20_000);
      await flow.whenAsked({ verb: "resume", scope: "all" });
      await restart();
    },
  },
  {
    value: "that a push of the ledger failed or has no answer, and when it is tried next",
    async play(flow, restart) {
      flow.pushesRefused = "protected branch";
      flow.whenMerged(file(100));
      await untilWaiting(flow, "LedgerDown");
      await restart();
      await flow.pass(20_000);
      expect(listMovedPaths(flow)).toEqual([]);
      flow.pushesRefused = undefined;
    },
  },
  {
    value: "why Redis took no batch",
    async play(flow, restart) {
      flow.queue.fill();
      flow.whenMerged(file(100));
      await untilWaiting(flow, "QueueFull");
      await restart();
      await flow.pass(10_000);
      expect(await readCodes(flow)).toContain("QueueFull");
      flow.queue.makeRoom();
    },
  },
  {
    value: "the status, the rule of who is notified, the beat and the claims of `state` as written last",
    async play(flow, restart) {
      await moveHalf(flow);
      for (const key of ["fleet", "notify"]) await openFakeBus(flow.bus).bucket("status").delete(key);
      await restart();
      await flow.pass(11_000);
      const written = await Promise.all(["fleet", "notify"].map(async (key) => flow.bucket("status").get(key)));
      expect(written.map((entry) => entry?.value !== undefined)).toEqual([true, true]);
    },
  },
];

export const executorRows: readonly MemoryRow[] = [
  {
    value: "since when no fact of a moving workload changed (5 s, for watches that lag)",
    async play(flow, restart) {
      const wrong = { how: "wrongSidecar", whenRevision: "new", wrongRevision: "old" } as const;
      flow.model("one").breakWorkload(refOf("b"), wrong);
      await moveHalf(flow);
      for (let kills = 0; kills < 4; kills += 1) {
        await flow.pass(8000);
        await restart();
      }
    },
  },
  {
    value: "writes that the API server refused, when each is tried again, and what it says of them (`problems`)",
    async play(flow, restart) {
      flow.model("one").breakWorkload(refOf("b"), { how: "neverReady", whenRevision: "new" });
      await moveHalf(flow);
      const policy = flow.model("one").faults.refuseWrites("shop-b");
      const isNamed = async (): Promise<boolean> => (await readProblems(flow)).includes("shop-b");
      await flow.until("the refusal is named", isNamed, 120_000);
      await restart();
      await flow.pass(5000);
      expect(await isNamed()).toBe(true);
      policy.end();
    },
  },
  {
    value: "stops and rollbacks that left the bus, for ten minutes; main and ledger as fetched last",
    async play(flow, restart) {
      await moveHalf(flow);
      await stopAll(flow);
      const before = listMovedPaths(flow).length;
      const speak = flow.server.hang("executor");
      await restart();
      await flow.pass(60_000);
      expect(listMovedPaths(flow)).toHaveLength(before);
      expect(countOn(flow, "new", names)).toBe(2);
      speak();
      await flow.pass(20_000);
      expect(listMovedPaths(flow)).toHaveLength(before);
      await flow.whenAsked({ verb: "resume", scope: "all" });
    },
  },
];
