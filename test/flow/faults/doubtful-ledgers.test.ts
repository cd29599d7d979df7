import { expect, test } from "vitest";

import { sentenceOf } from "#test/world/words";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, settingsOf, listMovedPaths } from "../shop.ts";

const minute = 60_000;
const ledger = "meshroll/ledger";

type Files = Readonly<Record<string, string | null>>;

/** A commit by another person on top of the ledger; returns the previous head. */
function push(flow: FleetFlow, files: Files): string {
  const before = flow.remote.head(ledger) ?? "";
  flow.remote.commitTo(ledger, { files, message: "edited", author: "eve", at: flow.clock.now() });
  return before;
}

async function findWait(flow: FleetFlow, code: string) {
  return (await flow.status())?.waiting.find((each) => each.code === code);
}

async function untilNamed(flow: FleetFlow, code: string, limitMs = 15_000): Promise<void> {
  await flow.until(`status names ${code}`, async () => (await findWait(flow, code)) !== undefined, limitMs);
}

/** A run to 100 %, one workload at a time, after its first write; with its id. */
async function openMiddle(): Promise<readonly [FleetFlow, string]> {
  const flow = await openShop({ settings: settingsOf("batchSize: 1") });
  flow.server.keepsClones = true;
  const id = flow.whenMerged(file(100)).slice(0, 12);
  await flow.until("something moves", () => listMovedPaths(flow).length === 1);
  return [flow, id];
}

async function restart(flow: FleetFlow): Promise<void> {
  await flow.killPlanner();
  await flow.killExecutor();
  await flow.startExecutor().startPlanner().pass(30_000);
}

const stopAll = {
  version: 1,
  id: "by-hand",
  scope: "all",
  strength: "move",
  at: "2026-01-01T00:00:00.000Z",
  who: "ana",
  why: "look first",
  cause: "verb",
};
const resume = { at: stopAll.at, who: "ana", why: "looked at it" };

interface Case {
  readonly name: string;
  readonly code: "LedgerUnreadable" | "LedgerSetBack";
  /** Makes the newest ledger unusable; the returned function repairs it. */
  readonly play: (flow: FleetFlow) => () => void;
  /** Texts in the wait. */
  readonly said: readonly (string | RegExp)[];
  /** Violations that the auditor reports because it cannot read this ledger. */
  readonly breaches?: readonly RegExp[];
}

function spoil(files: Files, fixed: Files): Case["play"] {
  return (flow) => {
    push(flow, files);
    return () => void push(flow, fixed);
  };
}

/** Sets the branch back by this many commits; the returned function restores the newest one. */
function setBack(commits: number): Case["play"] {
  return (flow) => {
    const newest = flow.remote.head(ledger) ?? "";
    let to: string | undefined = newest;
    for (let step = 0; step < commits; step += 1) to = flow.remote.commit(to ?? "")?.parents[0];
    flow.remote.force(ledger, to ?? "");
    return () => flow.remote.force(ledger, newest);
  };
}

const cases: readonly Case[] = [
  {
    name: "a record that does not parse, in the same commit as a stop of all",
    code: "LedgerUnreadable",
    play: spoil(
      { "runs/000000000000.json": "{", "stops/by-hand.json": JSON.stringify(stopAll) },
      { "runs/000000000000.json": null, "stops/by-hand.json": JSON.stringify({ ...stopAll, resume }) },
    ),
    said: ["runs/000000000000.json", "meshroll ledger check"],
  },
  {
    name: "a branch that was set back by one commit",
    code: "LedgerSetBack",
    play: setBack(1),
    said: ["git push", "refs/heads/meshroll/ledger"],
  },
  {
    name: "a branch that was deleted",
    code: "LedgerSetBack",
    play: (flow) => {
      const newest = flow.remote.head(ledger) ?? "";
      flow.remote.removeBranch(ledger);
      return () => flow.remote.force(ledger, newest);
    },
    said: ["git push", "refs/heads/meshroll/ledger"],
  },
  {
    name: "a newer commit with fewer transitions",
    code: "LedgerSetBack",
    play: (flow) => {
      const tree = flow.remote.commit(flow.remote.head(ledger) ?? "")?.tree;
      const heads = tree?.get("heads");
      if (typeof heads !== "string") throw new Error("the ledger has no heads");
      push(flow, { heads: heads.replace(/"sequence": \d+/u, '"sequence": 1') });
      return () => void push(flow, { heads });
    },
    said: ["sequence"],
  },
];

test.each(cases)(
  "12.1 an unusable ledger stops everything at once, by name: $name",
  async ({ play, code, said, breaches = [] }) => {
    const [flow] = await openMiddle();
    const putRight = play(flow);
    await untilNamed(flow, code);
    const moved = listMovedPaths(flow).length;
    await flow.pass(3 * minute);
    const wait = await findWait(flow, code);
    for (const each of said) expect(`${sentenceOf(wait)} ${wait?.command}`).toMatch(each);
    expect(listMovedPaths(flow)).toHaveLength(moved);

    // The same holds for processes that start now.
    await restart(flow);
    await flow.pass(3 * minute);
    expect(await findWait(flow, code)).toBeDefined();
    expect(listMovedPaths(flow)).toHaveLength(moved);

    putRight();
    await flow.until("all are there", () => countOn(flow, "new") === 6);
    expect(await findWait(flow, code)).toBeUndefined();
    await flow.end(breaches);
  },
);

test.each(cases)(
  "2.4 rollback --now still works at once, after a restart too: $name",
  async ({ play, code, breaches = [] }) => {
    const [flow, id] = await openMiddle();
    await flow.until("three are there", () => countOn(flow, "new") === 3);
    const putRight = play(flow);
    await untilNamed(flow, code);
    await restart(flow);
    await flow.whenAsked({ verb: "rollback", scope: `run/${id}`, now: true });
    await flow.until("all are back", () => countOn(flow, "old") === 6, 5 * minute);
    putRight();
    await flow.until("it is recorded", async () =>
      Object.values((await flow.ledger())?.stops ?? {}).some(({ revertTo }) => revertTo !== undefined),
    );
    expect(countOn(flow, "old")).toBe(6);
    await flow.end(breaches);
  },
);

test("an executor that reads an older ledger moves nothing while the planner knows a newer one", async () => {
  const [flow] = await openMiddle();
  const newest = flow.remote.head(ledger) ?? "";
  const older = flow.remote.commit(newest)?.parents[0] ?? "";
  await flow.killExecutor();
  flow.server.keepsClones = false;
  flow.server.hang("planner");
  flow.remote.force(ledger, older);
  const moved = listMovedPaths(flow).length;
  await flow.startExecutor().pass(5 * minute);
  expect(listMovedPaths(flow)).toHaveLength(moved);
  await flow.killPlanner();
  await flow.killExecutor();
});
