import type { CampaignWalk } from "../campaign-walk.ts";
import { isOpen } from "../random-walk.ts";

const minute = 60_000;

/** Ends the stops that a person has to end; a rollback ends by itself, unless status says that it was refused. */
async function resumeAll(walk: CampaignWalk): Promise<void> {
  const waits = await listWaits(walk);
  const refused = new Set(waits.filter(({ code }) => code === "RollbackRefused").map(({ scope }) => scope));
  for (const { id, scope, revertTo } of await walk.listStopsInForce())
    if (revertTo === undefined || refused.has(scope)) await walk.request({ verb: "resume", scope, stops: [id] });
}

/** Approves and merges open stage pull requests, and closes one whose merge was refused three times. */
async function mergeAll(walk: CampaignWalk, refusals: Map<number, number>): Promise<void> {
  for (const pull of await walk.listStagePulls()) {
    const why = await walk.mergePull(pull);
    if (why === undefined || why.startsWith("is not open")) continue;
    const count = (refusals.get(pull.number) ?? 0) + 1;
    refusals.set(pull.number, count);
    if (count < 3) continue;
    walk.tell(`cleo gives ${pull.number} up: ${why}`);
    walk.scm.closePullRequest(pull.number, "cleo");
  }
}

/** A run on buckets of both campaigns moves nothing until it is rolled back. */
async function rollBackShared(walk: CampaignWalk): Promise<void> {
  const waits = await listWaits(walk);
  const shared = new Set(
    waits.flatMap(({ code, scope }) => (code === "SeveralCampaigns" ? [scope.split("@")[0]] : [])),
  );
  const asked = new Set(
    (await walk.listStopsInForce()).flatMap(({ revertTo, scope }) => (revertTo === undefined ? [] : [scope])),
  );
  for (const scope of shared)
    if (isRunScope(scope) && !asked.has(scope)) await walk.request({ verb: "rollback", scope });
}

function isRunScope(scope: string | undefined): scope is `run/${string}` {
  return scope?.startsWith("run/") === true;
}

/**
 * The rollback of a rolled-back run is a forward change, which a person has to merge, or end by `resume`. It needs two
 * approvals, because its commits were pushed with a personal token.
 */
async function mergeForwardRollbacks(walk: CampaignWalk, refusals: Map<number, number>): Promise<void> {
  const waits = await listWaits(walk);
  if (!waits.some(({ code }) => code === "RollbackForward")) return;
  for (const pull of await walk.listRollbackPulls()) {
    const why = await walk.mergePull(pull, ["ben", "cleo"]);
    if (why === undefined || why.startsWith("is not open")) continue;
    const count = (refusals.get(pull.number) ?? 0) + 1;
    refusals.set(pull.number, count);
    const run = pull.branch.split("/")[2]?.slice(0, 12) ?? "";
    if (count === 3) await walk.request({ verb: "resume", scope: `run/${run}` });
  }
}

async function listWaits(walk: CampaignWalk): Promise<readonly { readonly scope: string; readonly code: string }[]> {
  return (await walk.flow.status())?.waiting ?? [];
}

/** A stage that moves nothing, or follows one that proved nothing, is merged by hand. */
async function skipEmpty(walk: CampaignWalk): Promise<void> {
  const waits = await listWaits(walk);
  const codes = ["StageEmpty", "StageNoEvidence"];
  const empty = waits.find(({ code, scope }) => codes.includes(code) && scope.startsWith("campaign/"));
  if (empty === undefined) return;
  const stages = empty.scope === "campaign/zpay" ? walk.second?.stages : walk.shape.stages;
  const now = walk.readShares();
  const read = (bucket: string): number => (bucket === "production" ? now.all : (now.pay ?? 0));
  const next = stages?.find(({ bucket, share }) => read(bucket) < share);
  if (next === undefined) return;
  walk.mergeShares(next.bucket === "production" ? { ...now, all: next.share } : { ...now, pay: next.share });
}

/** Whether main has reached the last stage and nothing is open. */
export async function isComplete(walk: CampaignWalk): Promise<boolean> {
  const now = walk.readShares();
  const isReached = walk
    .listStages()
    .every(({ bucket, share }) => (bucket === "production" ? now.all : (now.pay ?? 0)) >= share);
  const open = (await walk.flow.runs()).some(isOpen);
  return (
    isReached && !open && (await walk.listStopsInForce()).length === 0 && (await walk.listStagePulls()).length === 0
  );
}

/** Ends stops and merges proposals until the campaign is complete. */
export async function settleCampaign(walk: CampaignWalk): Promise<void> {
  const refusals = new Map<number, number>();
  const end = walk.flow.clock.now() + 240 * minute;
  while (walk.flow.clock.now() < end) {
    await rollBackShared(walk);
    await resumeAll(walk);
    await walk.flow.pass(20_000);
    await mergeAll(walk, refusals);
    await mergeForwardRollbacks(walk, refusals);
    await skipEmpty(walk);
    await walk.flow.pass(40_000);
    await walk.standstills.check();
    if (await isComplete(walk)) break;
  }
  await walk.flow.pass(2 * minute);
}
