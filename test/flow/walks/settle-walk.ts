import type { StopRecord } from "#libs/plan";

import { isOpen, listStopsInForce, type RandomWalk } from "./random-walk.ts";

/** The lines of each bucket in a commit's `rollouts.yml`. */
function readBuckets({ flow }: RandomWalk, sha: string): Map<string, string> {
  const text = flow.remote.commit(sha)?.tree.get("rollouts.yml");
  const buckets = new Map<string, string>();
  let pattern = "";
  for (const line of (typeof text === "string" ? text : "").split("\n")) {
    if (/^\S.*:$/.test(line)) pattern = line.slice(0, -1);
    else if (line.startsWith("  ")) buckets.set(pattern, `${buckets.get(pattern) ?? ""}${line}\n`);
  }
  return buckets;
}

async function findRollback({ flow }: RandomWalk): Promise<StopRecord | undefined> {
  return listStopsInForce(await flow.ledger()).find(({ revertTo }) => revertTo !== undefined);
}

/** Sets the run's forward buckets on main to the rollback's target, as its pull request would. */
async function mergeRollback(walk: RandomWalk, { scope, revertTo = "" }: StopRecord): Promise<void> {
  const run = (await walk.flow.runs()).find(({ id }) => scope === `run/${id}`);
  const now = readBuckets(walk, walk.flow.remote.head("main") ?? "");
  const then = readBuckets(walk, revertTo);
  for (const { pattern } of run?.changes.filter(({ direction }) => direction === "forward") ?? []) {
    const lines = then.get(pattern);
    if (lines === undefined) now.delete(pattern);
    else now.set(pattern, lines);
  }
  walk.merge([...now].map(([pattern, lines]) => `${pattern}:\n${lines}`).join(""));
}

/** Brings every rollback in force to its end. */
export async function finishRollbacks(walk: RandomWalk): Promise<void> {
  const { flow } = walk;
  // With GitHub the planner merges rollbacks itself; a person merges the remaining ones.
  if (flow.github !== undefined) await flow.pass(200_000);
  for (let stop = await findRollback(walk); stop !== undefined; stop = await findRollback(walk)) {
    const { id } = stop;
    await mergeRollback(walk, stop);
    await flow.until(`rollback ${id} is over`, async () => (await findRollback(walk))?.id !== id, 120_000);
  }
}

async function isSettled({ flow }: RandomWalk): Promise<boolean> {
  return !(await flow.runs()).some(isOpen);
}

/** Waits until every run is over, or meshroll places a stop. */
async function waitForRuns(walk: RandomWalk): Promise<void> {
  const end = walk.flow.clock.now() + 600_000;
  while (walk.flow.clock.now() < end) {
    await walk.flow.pass(5000);
    await walk.standstills.check();
    const isStopped = listStopsInForce(await walk.flow.ledger()).some(({ cause }) => cause !== "rolledBack");
    if (isStopped || (await isSettled(walk))) return;
  }
}

/** Ends all stops in force, until every run is over. */
export async function settle(walk: RandomWalk): Promise<void> {
  for (let round = 0; round < 12; round += 1) {
    for (const { id, scope } of listStopsInForce(await walk.flow.ledger())) {
      await walk.request({ verb: "resume", scope, stops: [id] });
    }
    await walk.flow.pass(3000);
    await waitForRuns(walk);
    if (listStopsInForce(await walk.flow.ledger()).length === 0 && (await isSettled(walk))) break;
  }
  // Late patches that are reverted still roll for a moment.
  await walk.flow.pass(120_000);
}
