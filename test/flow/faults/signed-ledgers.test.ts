import { writeText } from "#libs/wording";
import { openFakeRepository } from "#fakes/git";
import { type LedgerSigner, openLedger } from "#libs/ledger";
import { describe, expect, test } from "vitest";

import { forgeLedger, forgeRun } from "../forging/forge-ledger.ts";
import type { FleetFlow } from "../fleet-flow.ts";
import { makeSigner, nameSigners } from "../parts/make-signer.ts";
import { countOn, file, openShop, settingsOf, written } from "../shop.ts";
import { openStages } from "../campaign/stage-bench.ts";
import { campaignOf } from "../campaign/stage-campaign.ts";

const minute = 60_000;
const stages =
  "    - { name: half, set: { production: 50 }, autoMerge: { notice: 1m } }\n" +
  "    - { name: all, set: { production: 100 }, autoMerge: { notice: 1m } }\n";
const gate =
  "  defaults:\n    gates:\n" +
  "      - { name: errors, when: before, onNoData: hold, prometheus: { query: 'sum(errors)', max: 0.02, interval: 1m } }\n";
const names = Array.from({ length: 24 }, (_, index) => `n${index}`);
const planner = makeSigner();

/** A campaign whose first stage has merged itself, or was merged by people while main names no signers; the id of its run. */
async function open(campaign: string, signed: boolean): Promise<readonly [FleetFlow, string]> {
  const settings = settingsOf("batchSize: 1", signed ? nameSigners(planner) : "");
  const { flow, approve, untilOpen } = await openStages(campaign, {
    settings,
    names,
    signer: signed ? planner : undefined,
  });
  if (signed) await untilOpen("meshroll/shop/half");
  else await approve("meshroll/shop/half");
  await flow.until("the first stage is merged", async () => (await flow.runs()).length > 0);
  return [flow, (await flow.runs())[0]?.id ?? ""];
}

async function listCodes(flow: FleetFlow): Promise<readonly string[]> {
  return ((await flow.status())?.waitingFor ?? []).map(({ code }) => code);
}

const readMain = (flow: FleetFlow): unknown =>
  flow.remote.commit(flow.remote.head("main") ?? "")?.tree.get("rollouts.yml");
const now = (flow: FleetFlow): string => new Date(flow.clock.now()).toISOString();

/** What only the branch says of an open run. */
interface Forgery {
  readonly name: string;
  /** Workloads move by it where main names no signers: to what people merged, and no further. */
  readonly moves: boolean;
  readonly campaign: string;
  readonly play: (flow: FleetFlow, id: string) => Promise<void>;
}

const forgeries: readonly Forgery[] = [
  {
    name: "the pass of a gate that holds a run",
    moves: true,
    campaign: campaignOf(gate, stages),
    async play(flow, id) {
      await flow.pass(2 * minute);
      const errors = { verdict: "pass" as const, at: now(flow), why: writeText("forged") };
      await forgeRun(flow, id, ({ gates }) => ({ gates: { ...gates, errors } }));
    },
  },
  {
    name: "the end of a run that has less than a tenth left to move",
    moves: false,
    campaign: campaignOf("", stages),
    async play(flow, id) {
      await flow.until("all but one are moved", () => countOn(flow, "new", names) === 12);
      await forgeRun(flow, id, ({ startedAt }) => ({
        state: "done",
        endedAt: now(flow),
        clusters: { one: { unhealthyBefore: [], openedAt: startedAt } },
        outcome: { migrated: 13, skipped: [], seen: ["one"] },
      }));
    },
  },
  {
    name: "the resume of a person's pause",
    moves: true,
    campaign: campaignOf("", stages),
    async play(flow) {
      await flow.whenAsked({ verb: "stop", scope: "all" });
      await flow.until("it is recorded", async () => Object.keys((await flow.ledger())?.stops ?? {}).length === 1);
      const resume = { at: now(flow), who: "eve", why: "forged" };
      await forgeLedger(flow, ({ stops }) => ({
        stops: Object.fromEntries(Object.entries(stops).map(([id, stop]) => [id, { ...stop, resume }])),
      }));
    },
  },
];

describe.each(forgeries)("a pusher to the ledger's branch forges $name", ({ campaign, play, moves }) => {
  test("and it is used where main names no signers, where meshroll merges no stage by itself", async () => {
    const [flow, id] = await open(campaign, false);
    await play(flow, id);
    const moved = written(flow).length;
    await flow.pass(10 * minute);
    expect([written(flow).length > moved, readMain(flow)]).toEqual([moves, file(50)]);
    await flow.killPlanner();
    await flow.killExecutor();
  });

  test("and nothing moves by it where main names them, which status says within a reconcile, after a restart too", async () => {
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

const six = ["a", "b", "c", "d", "e", "f"];

async function findWait(flow: FleetFlow, code: string) {
  return (await flow.status())?.waitingFor.find((each) => each.code === code);
}

/** A shop whose main names this key, with a planner that has it. */
async function openSigned(): Promise<FleetFlow> {
  return openShop({ settings: settingsOf("batchSize: 2", nameSigners(planner)), signer: planner });
}

async function startWith(flow: FleetFlow, signer: LedgerSigner | undefined): Promise<void> {
  await flow.killPlanner();
  flow.signer = signer;
  await flow.startPlanner().pass(30_000);
}

test("a planner without a key moves nothing while main names signers, says what is missing, and goes on with it", async () => {
  const flow = await openSigned();
  await startWith(flow, undefined);
  flow.whenMerged(file(100));
  await flow.pass(5 * minute);
  expect(written(flow)).toEqual([]);
  expect(await findWait(flow, "LedgerKeyMissing")).toMatchObject({
    message: expect.stringContaining("this planner has no key") as string,
    command: "start the planner with MESHROLL_LEDGER_KEY_FILE=FILE",
  });
  expect((await flow.ledger())?.sequence).toBe(1);
  await startWith(flow, planner);
  await flow.untilRunsEnd(1);
  expect(countOn(flow, "new", six)).toBe(6);
  await flow.end();
});

test("a rollback --now is heeded while the planner has no key, and recorded once it has", async () => {
  const flow = await openSigned();
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("two are there", () => countOn(flow, "new", six) >= 2);
  await startWith(flow, undefined);
  await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
  await flow.until("all are back", () => countOn(flow, "old", six) === 6, 5 * minute);
  await startWith(flow, planner);
  await flow.until("it is recorded", async () =>
    Object.values((await flow.ledger())?.stops ?? {}).some(({ revertTo }) => revertTo !== undefined),
  );
  expect(countOn(flow, "old", six)).toBe(6);
  await flow.end();
});

test("a key that main changes before the planner has the new one holds all by name, until a commit of the new one", async () => {
  const flow = await openSigned();
  const next = makeSigner();
  flow.whenMerged(file(100), settingsOf("batchSize: 2", nameSigners(next)));
  await flow.pass(2 * minute);
  const wait = await findWait(flow, "LedgerUnsigned");
  expect([wait?.message, written(flow)]).toEqual([expect.stringContaining(planner.fingerprint), []]);
  await startWith(flow, next);
  await flow.pass(2 * minute);
  expect([(await findWait(flow, "LedgerUnsigned"))?.code, written(flow)]).toEqual(["LedgerUnsigned", []]);

  // A person with the new key vouches for what stands there.
  const repository = openFakeRepository(flow.remote);
  await openLedger(repository, next).vouch((await repository.fetch()).ledger ?? "", "ana", flow.clock.now());
  await flow.untilRunsEnd(1);
  expect(countOn(flow, "new", six)).toBe(6);
  await flow.end();
});

test("a key that is changed by way of both holds nothing", async () => {
  const flow = await openSigned();
  const next = makeSigner();
  flow.whenMerged(file(0), settingsOf("batchSize: 2", nameSigners(planner, next)));
  await flow.pass(minute);
  await startWith(flow, next);
  flow.whenMerged(file(50));
  await flow.untilRunsEnd(1);
  flow.whenMerged(file(100), settingsOf("batchSize: 2", nameSigners(next)));
  await flow.untilRunsEnd(2);
  expect(countOn(flow, "new", six)).toBe(6);
  await flow.end();
});

test("what an unsigned commit said, and a signed one reverted, is announced to no one and leaves nothing", async () => {
  const flow = await openSigned();
  flow.whenMerged(file(100));
  await flow.until("two are there", () => countOn(flow, "new", six) >= 2);
  const good = flow.remote.head("meshroll/ledger") ?? "";
  const stop = {
    id: "eve",
    scope: "all",
    strength: "move",
    at: now(flow),
    who: "ana",
    why: "forged",
    cause: "verb",
  } as const;
  await forgeLedger(flow, ({ stops }) => ({ stops: { ...stops, eve: stop } }));
  await flow.until("status names it", async () => (await listCodes(flow)).includes("LedgerUnsigned"), 15_000);

  const repository = openFakeRepository(flow.remote);
  const { ledger: head = "" } = await repository.fetch();
  const ledger = openLedger(repository, planner);
  await ledger.repair(head, await ledger.planRollback(good), "ana", flow.clock.now());
  await flow.untilRunsEnd(1);
  await flow.pass(20_000);
  const told = flow.bus.messages.map(({ body }) => JSON.parse(body) as { readonly type: string });
  expect(told.filter(({ type }) => type === "stop.v1.placed")).toEqual([]);
  expect(told.some(({ type }) => type === "run.v1.done")).toBe(true);
  expect([(await flow.ledger())?.stops, countOn(flow, "new", six)]).toEqual([{}, 6]);
  await flow.killPlanner();
  await flow.killExecutor();
});
