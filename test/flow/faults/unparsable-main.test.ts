import { type FleetStatus } from "#libs/plan";
import { expect, test } from "vitest";

import type { FleetFlow } from "../fleet-flow.ts";
import { answersOf } from "#test/world/words";
import { file, makeClusters } from "../shop.ts";

/** One cluster, and a main whose settings never parsed. */
async function openBroken(hasBaseline: boolean): Promise<FleetFlow> {
  const flow = makeClusters(["one"], ["shop-a", "shop-b"]);
  flow.whenMerged(file(0), "defaults:\n  batch: { batchSize: many }\n");
  if (hasBaseline) await flow.givenBaseline();
  return flow.startExecutor().startPlanner().pass(30_000);
}

async function read(flow: FleetFlow): Promise<FleetStatus> {
  const status = await flow.status();
  if (status === undefined) throw new Error("no status is published");
  return status;
}

const place = /^commit [0-9a-f]{12} of main.* does not parse.*\(meshroll\.yml:2:23 /u;

const cases = [
  { name: "recorded as the baseline", hasBaseline: true, codes: ["MainUnparsable"] },
  { name: "of which nothing is recorded yet", hasBaseline: false, codes: ["NoBaseline", "MainUnparsable"] },
];
for (const { name, hasBaseline, codes } of cases) {
  test(`1.7 a main that never parsed, ${name}: the status names file, line and column, and no answer is empty`, async () => {
    const flow = await openBroken(hasBaseline);
    const status = await read(flow);
    const told = answersOf(status);

    expect(status.waiting.map(({ code }) => code)).toEqual(codes);
    expect(status.waiting.find(({ code }) => code === "MainUnparsable")).toMatchObject({
      scope: "all",
      message: expect.stringMatching(place),
      command: "meshroll validate",
    });
    expect(told.waiting.some(({ text }) => place.test(text))).toBe(true);
    expect([told.where, told.next]).toEqual([
      ["not known: main does not parse"],
      [{ text: "nothing until a commit of main parses" }],
    ]);
    expect(status.clusters).toMatchObject([{ name: "one", namespaces: 6, workloads: 4, fresh: true }]);
    await flow.end();
  });
}
