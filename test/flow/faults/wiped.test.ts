import { describe, expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, listMovedPaths } from "../shop.ts";

const tenDays = 10 * 86_400_000;

/** Redis and NATS lose everything, and the processes start again ten days later. */
async function wipeAll(flow: FleetFlow): Promise<void> {
  await flow.killPlanner();
  await flow.killExecutor();
  flow.bus.wipe();
  flow.queue.flush();
  await flow.pass(tenDays);
  flow.startExecutor().startPlanner();
  await flow.pass(600_000);
}

/** A reason why nothing moves, and the request that lets it continue. */
interface Stopped {
  readonly name: string;
  readonly stop: (flow: FleetFlow, run: string) => Promise<void>;
  readonly resume: (flow: FleetFlow) => Promise<void>;
  /** Namespaces on `new` after it continued. */
  readonly wantAfter: number;
}

const cases: readonly Stopped[] = [
  {
    name: "while paused",
    stop: async (flow) => flow.whenAsked({ verb: "stop", scope: "all" }),
    resume: async (flow) => flow.whenAsked({ verb: "resume", scope: "all" }),
    wantAfter: 6,
  },
  {
    name: "while a failure holds the run",
    stop: async (flow, run) => flow.whenAsked({ verb: "stop", scope: `run/${run}` }),
    resume: async (flow) => {
      const [run] = await flow.runs();
      await flow.whenAsked({ verb: "resume", scope: `run/${run?.id ?? ""}` });
    },
    wantAfter: 6,
  },
  {
    name: "after a rollback's hold, with a forward change merged under it",
    stop: async (flow, run) => {
      await flow.whenAsked({ verb: "rollback", scope: `run/${run}`, now: true });
      await flow.pass(30_000);
      expect(countOn(flow, "old")).toBe(6);
      flow.whenMerged(file(0));
      await flow.untilRunsEnd(2);
      flow.whenMerged(file(50));
    },
    resume: async (flow) => flow.whenAsked({ verb: "resume", scope: "bucket/production" }),
    wantAfter: 4,
  },
];

describe("Redis and NATS wiped, and ten days later", () => {
  test.each(cases)("7.2 $name: nothing is written, and no stop is lost", async ({ stop, resume, wantAfter }) => {
    const flow = await openShop({ names: ["a", "b", "c", "d", "e", "f"] });
    const run = flow.whenMerged(file(100)).slice(0, 12);
    await flow.until("something moves", () => listMovedPaths(flow).length > 0);
    await stop(flow, run);
    await flow.pass(60_000);
    const before = listMovedPaths(flow).length;
    const stopsBefore = (await flow.status())?.stops.map(({ id }) => id);

    await wipeAll(flow);

    expect(listMovedPaths(flow)).toHaveLength(before);
    expect((await flow.status())?.stops.map(({ id }) => id)).toEqual(stopsBefore);
    await resume(flow);
    const runs = (await flow.runs()).length;
    await flow.untilRunsEnd(runs);
    const wanted = ["a", "b", "c", "d", "e", "f"].filter((name) => flow.revisionOf(`shop-${name}`) === "new").length;
    expect(countOn(flow, "new")).toBe(wanted);
    expect(wanted).toBe(wantAfter);
    await flow.end();
  });
});
