import { describe, expect, test } from "vitest";

import { forgeRun } from "./forge-ledger.ts";
import type { FleetFlow } from "./fleet-flow.ts";
import { makeSigner, nameSigners } from "./make-signer.ts";
import { countOn, file, settingsOf, written } from "./shop.ts";
import { openStages } from "./stage-bench.ts";
import { campaignOf } from "./stage-campaign.ts";

const minute = 60_000;
const stages =
  "    - { name: half, set: { production: 50 }, autoMerge: { notice: 1m } }\n" +
  "    - { name: all, set: { production: 100 }, autoMerge: { notice: 1m } }\n";
const gate =
  "  defaults:\n    gates:\n" +
  "      - { name: errors, when: before, onNoData: hold, prometheus: { query: 'sum(errors)', max: 0.02, interval: 1m } }\n";
const names = Array.from({ length: 24 }, (_, index) => `n${index}`);
const planner = makeSigner();

/** A campaign whose first stage has merged itself; the id of its run. */
async function open(campaign: string, signed: boolean): Promise<readonly [FleetFlow, string]> {
  const settings = settingsOf("batchSize: 1", signed ? nameSigners(planner) : "");
  const { flow, untilOpen } = await openStages(campaign, { settings, names, signer: signed ? planner : undefined });
  await untilOpen("meshroll/shop/half");
  await flow.until("the first stage merges itself", async () => (await flow.runs()).length > 0);
  return [flow, (await flow.runs())[0]?.id ?? ""];
}

async function listCodes(flow: FleetFlow): Promise<readonly string[]> {
  return ((await flow.status())?.waitingFor ?? []).map(({ code }) => code);
}

const readMain = (flow: FleetFlow): unknown =>
  flow.remote.commit(flow.remote.head("main") ?? "")?.tree.get("rollouts.yml");
const now = (flow: FleetFlow): string => new Date(flow.clock.now()).toISOString();

/** What only the branch says of an open run, and what came of it before the ledger was signed. */
interface Forgery {
  readonly name: string;
  readonly campaign: string;
  readonly play: (flow: FleetFlow, id: string) => Promise<void>;
}

const forgeries: readonly Forgery[] = [
  {
    name: "the pass of a gate that holds a run",
    campaign: campaignOf(gate, stages),
    async play(flow, id) {
      await flow.pass(2 * minute);
      const errors = { verdict: "pass" as const, at: now(flow), why: "forged" };
      await forgeRun(flow, id, ({ gates }) => ({ gates: { ...gates, errors } }));
    },
  },
  {
    name: "the end of a run that has less than a tenth left to move",
    campaign: campaignOf("", stages),
    async play(flow, id) {
      await flow.until("all but one are moved", () => countOn(flow, "new", names) === 12);
      await forgeRun(flow, id, ({ startedAt }) => ({
        state: "done",
        endedAt: now(flow),
        clusters: { one: { unhealthyBefore: [], openedAt: startedAt } },
        outcome: { arrived: 13, aside: [], seen: ["one"] },
      }));
    },
  },
];

describe.each(forgeries)("a pusher to the ledger's branch forges $name", ({ campaign, play }) => {
  test("and it is gone by where main names no signers", async () => {
    const [flow, id] = await open(campaign, false);
    await play(flow, id);
    const moved = written(flow).length;
    await flow.pass(10 * minute);
    expect(written(flow).length).toBeGreaterThan(moved);
    expect(readMain(flow)).toBe(file(100));
    await flow.killPlanner();
    await flow.killExecutor();
  });

  test("and nothing moves by it where main names them, which status says within a look, after a restart too", async () => {
    const [flow, id] = await open(campaign, true);
    await play(flow, id);
    const moved = written(flow).length;
    await flow.until("status names it", async () => (await listCodes(flow)).includes("LedgerUnsigned"), 15_000);
    await flow.pass(10 * minute);
    expect([written(flow).length, readMain(flow)]).toEqual([moved, file(50)]);
    await flow.killPlanner();
    await flow.killExecutor();
    await flow
      .startExecutor()
      .startPlanner()
      .pass(2 * minute);
    expect([written(flow).length, readMain(flow)]).toEqual([moved, file(50)]);
    expect((await flow.status())?.waitingFor[0]).toMatchObject({
      code: "LedgerUnsigned",
      message: expect.stringContaining(flow.remote.head("meshroll/ledger")?.slice(0, 12) ?? "no commit") as string,
      command: "meshroll ledger check",
    });
    await flow.killPlanner();
    await flow.killExecutor();
  });
});
