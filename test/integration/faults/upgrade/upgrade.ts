import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { newestFormat } from "#libs/input";

import { type Fault, inTheMiddle, type Stage } from "../passes/fault.ts";
import { countOn, file, names, readRevisions } from "../passes/shop.ts";
import { laterField, makeNextBuild } from "./next-build.ts";

type Service = "planner" | "executor";
type Order = readonly [first: Service, second: Service];

const orders: readonly Order[] = [
  ["planner", "executor"],
  ["executor", "planner"],
];

/** Longer than any pass takes: the ledger stays in this build's version. */
const neverMs = 3_600_000;
/** Short enough to wait for; a planner is heard each 10 s. */
const soonMs = 15_000;

/** What the process shows of itself on the bus: another text once another one has begun its work. */
async function readSign({ fleet }: Stage, name: Service): Promise<string | undefined> {
  const [bucket, key] = name === "planner" ? (["control", "state"] as const) : (["inventory", "one._"] as const);
  const text = (await fleet.bus.bucket(bucket).get(key))?.value;
  return name === "planner" && text !== undefined ? (JSON.parse(text) as { writer: string }).writer : text;
}

/** SIGTERM, then the same service of another build, or of this one, until it works. */
async function replace(stage: Stage, name: Service, build: string | undefined): Promise<void> {
  const { fleet } = stage;
  strictEqual(await fleet.terminate(name), 0, `the ${name} ends in order`);
  const before = await readSign(stage, name);
  fleet.startService(name, { build });
  await fleet.until(`the ${name} works`, async () => (await readSign(stage, name)) !== before);
}

/** Something went on since the last process was replaced; or there is nothing left to do. */
async function untilItGoesOn({ fleet, observer }: Stage, isOver: () => boolean): Promise<void> {
  const before = observer.progress();
  await fleet.until("it goes on", () => observer.progress() !== before || isOver(), 60_000);
}

/** One after the other becomes the next build, the first is this one again: both run next to each other, in both roles. */
async function upgradeAndBack(stage: Stage, [first, second]: Order, isOver: () => boolean): Promise<void> {
  const next = makeNextBuild(stage.fleet.folder, neverMs);
  await replace(stage, first, next);
  await untilItGoesOn(stage, isOver);
  await replace(stage, second, next);
  await untilItGoesOn(stage, isOver);
  await replace(stage, first, undefined);
}

async function showFile({ fleet }: Stage, path: string): Promise<unknown> {
  const args = ["-C", fleet.gitFolder, "show", `refs/heads/meshroll/ledger:${path}`];
  const { stdout } = await promisify(execFile)("git", args);
  return JSON.parse(stdout);
}

/** Everything of the run is as it is without an upgrade; and a field of the next build was not erased. */
async function keepsLater(stage: Stage): Promise<void> {
  const [run] = await stage.fleet.runs();
  const written = (await showFile(stage, `runs/${run?.id ?? ""}.json`)) as Record<string, unknown>;
  const heads = (await showFile(stage, "heads")) as Record<string, unknown>;
  deepStrictEqual([heads["version"], written["version"]], [newestFormat, newestFormat]);
  deepStrictEqual([written["later"]], [laterField.later]);
}

const isAllNew = ({ fleet }: Stage): boolean => countOn(fleet, "new") === names.length;
const isAllOld = ({ fleet }: Stage): boolean => countOn(fleet, "old") === names.length;

/** In the middle of a batch. */
function upgradeInBatch(order: Order): Fault["play"] {
  return async (stage) => {
    const { fleet } = stage;
    await stage.open("withBad");
    // The next build's planner has written the run at least once: the older one writes its end.
    const next = makeNextBuild(fleet.folder, neverMs + 1);
    await replace(stage, "planner", next);
    await fleet.merge({ "rollouts.yml": file(100) });
    await stage.reach();
    await replace(stage, "planner", undefined);
    await upgradeAndBack(stage, order, () => countOn(fleet, "new") >= names.length - 1);
    stage.fixed();
    await stage.endsUndisturbed("withBad");
    await keepsLater(stage);
  };
}

const campaign =
  "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: shop }\n" +
  'spec:\n  target: new\n  replaces: [old]\n  owners: ["user:ana"]\n  defaults: { bake: 15m }\n' +
  "  stages:\n    - { name: all, set: { production: 100 } }\n";

/** While a bake counts: it goes on where it was, and the run ends after it and not before. */
function upgradeInBake(order: Order): Fault["play"] {
  return async (stage) => {
    const { fleet } = stage;
    await stage.open("well");
    await fleet.merge({ "campaigns/shop.yml": campaign });
    await fleet.merge({ "rollouts.yml": file(100) });
    const findBake = async () => (await fleet.runs())[0]?.bake;
    await fleet.until("it bakes", async () => (await findBake()) !== undefined);
    await upgradeAndBack(stage, order, () => isAllNew(stage));
    stage.fixed();
    const run = await fleet.untilRunEnds(1);
    const { healthyMs = 0, neededMs = Number.NaN } = run.bake ?? {};
    ok(healthyMs >= neededMs, `it baked ${healthyMs} of ${neededMs} ms`);
    deepStrictEqual(
      [run.state, isAllNew(stage), fleet.writes.length],
      ["done", true, names.length],
      "each was written once",
    );
  };
}

/** While a rollback takes all back. */
function upgradeInRollback(order: Order): Fault["play"] {
  return async (stage) => {
    const { fleet } = stage;
    await stage.open("well");
    await fleet.merge({ "rollouts.yml": file(100) });
    await fleet.untilRunEnds(1);
    const [run] = await fleet.runs();
    const before = fleet.writes.length;
    await fleet.request({ verb: "rollback", scope: `run/${run?.id ?? ""}`, now: true });
    await fleet.until("the first is rolled back", () => fleet.writes.length > before);
    await upgradeAndBack(stage, order, () => isAllOld(stage));
    stage.fixed();
    await fleet.until("all are back", () => isAllOld(stage));
    await fleet.merge({ "rollouts.yml": file(0) });
    await fleet.untilRunEnds(2);
    deepStrictEqual(
      [isAllOld(stage), fleet.writes.length],
      [true, 2 * names.length],
      "each went forward once and back once",
    );
  };
}

/** How the fleet stands is read from git and the cluster: the ledger is of a version that this build does not read. */
async function untilRaised(stage: Stage): Promise<void> {
  const readVersion = async () => ((await showFile(stage, "heads")) as { readonly version: number }).version;
  await stage.fleet.until("the ledger is raised", async () => (await readVersion()) === newestFormat + 1, 120_000, 500);
}

async function raiseAndComeBack(stage: Stage): Promise<void> {
  const { fleet } = stage;
  const next = makeNextBuild(fleet.folder, soonMs);
  await stage.open("well");
  await replace(stage, "planner", next);
  const waits = async () => ((await fleet.status())?.waitingFor ?? []).map(({ code }) => code);
  await fleet.until("the older executor is named", async () => (await waits()).includes("OlderAlive"));
  await replace(stage, "executor", next);
  const raised = stage.measure("raised after the last");
  await untilRaised(stage);
  raised();
  await fleet.merge({ "rollouts.yml": file(100) });
  await fleet.until("the first moves", () => fleet.writes.length > 0);
  // A person still has the command line of this build: a pause that it places is heeded.
  await fleet.request({ verb: "stop", scope: "all" });
  await fleet.until("the pause is recorded", async () => ((await fleet.status())?.stops ?? []).length > 0);
  await fleet.until("what moved arrived", () => countOn(fleet, "new") + countOn(fleet, "old") === names.length);
  const before = fleet.writes.length;
  await replace(stage, "executor", undefined);
  await fleet.until("it is named", async () => (await waits()).includes("OlderAlive"));
  await fleet.request({ verb: "resume", scope: "all" });
  await fleet.until("the pause is resumed", async () => ((await fleet.status())?.stops ?? []).length === 0);
  strictEqual(fleet.writes.length, before, "an older executor moves nothing by a ledger that it does not read");
  await replace(stage, "executor", next);
  stage.fixed();
  await fleet.until("all arrived", () => isAllNew(stage));
  deepStrictEqual(
    Object.values(readRevisions(fleet)),
    names.map(() => "new"),
  );
  strictEqual(fleet.writes.length, names.length, "each was written once");
}

function describeOrder([first, second]: Order): string {
  return `the ${first}, then the ${second} becomes the next build, and the ${first} this one again`;
}

/** An upgrade in the middle of work, by two builds of real processes: T4. */
export const upgradeFaults: readonly Fault[] = [
  ...orders.flatMap((order): readonly Fault[] => [
    {
      name: `upgrade-batch-${order[0]}-first`,
      shows: `in the middle of a batch ${describeOrder(order)}: nothing is written twice, no field is lost`,
      play: upgradeInBatch(order),
    },
    {
      name: `upgrade-bake-${order[0]}-first`,
      shows: `in the middle of a bake ${describeOrder(order)}: it counts on, and ends when it is over`,
      play: upgradeInBake(order),
    },
    {
      name: `upgrade-rollback-${order[0]}-first`,
      // Two services start one after the other while it is rolled back, and each of them reads its cluster first.
      recovery: 6,
      shows: `in the middle of a rollback ${describeOrder(order)}: all are rolled back, once`,
      play: upgradeInRollback(order),
    },
  ]),
  {
    name: "upgrade-side-by-side",
    shows: "a planner of the next build next to one of this: every decision is recorded once, in this build's version",
    play: inTheMiddle("well", async ({ fleet }) => {
      const build = makeNextBuild(fleet.folder, soonMs);
      fleet.startService("planner", { as: "planner-2", build });
    }),
  },
  {
    name: "upgrade-raised",
    // It goes on when the older process that returned was not heard of for fifteen seconds.
    recovery: 12,
    shows: "the ledger is raised when the last older process is gone; one that returns later moves nothing, by name",
    play: raiseAndComeBack,
  },
];
