import { setTimeout as sleep } from "node:timers/promises";

import type { Bus } from "#libs/bus";
import { openRepository } from "#libs/git";
import type { FleetStatus } from "#libs/plan";
import { join } from "node:path";

import {
  campaignName,
  campaignPath,
  demoCampaign,
  demoRollouts,
  prepareRollouts,
} from "../../../sandbox/demo/world/files.ts";
import { runCli } from "../../../sandbox/demo/world/run-cli.ts";
import { proposeCampaign, readMergedRollouts } from "../../../sandbox/demo/world/people.ts";
import { approveAndMerge } from "../../../sandbox/demo/world/review/approve-and-merge.ts";
import type { Services } from "../../../sandbox/demo/world/start-services.ts";
import type { DemoEnvironment } from "../../../sandbox/demo/world/start-world.ts";
import { isWaitingForReview } from "../../../sandbox/demo/story/story.ts";
import { users } from "../../../sandbox/demo/world/users.ts";
import { describeWaits } from "../../integration/fleet/describe-waits.ts";
import type { Catcher } from "./catch-all.ts";
import { isRunOver, listLedger } from "./ledger-tree.ts";

/** All that the acts play with. */
export interface Acting {
  readonly environment: DemoEnvironment;
  readonly services: Services;
  readonly bus: Bus;
  readonly catcher: Catcher;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

const patienceMs = 300_000;

async function until({ bus }: Acting, what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`never: ${what}; ${await describeWaits(bus)}`);
    await sleep(50);
  }
}

async function readStatus(bus: Bus): Promise<FleetStatus | undefined> {
  const entry = await bus.bucket("status").get("fleet");
  return entry?.value === undefined ? undefined : (JSON.parse(entry.value) as FleetStatus);
}

async function type({ environment, signal, log }: Acting, ...args: readonly string[]): Promise<void> {
  log(`meshroll ${args.join(" ")}`);
  // The planner may have ten merges to carry out first, on a machine with other work.
  await runCli(environment, [...args, "--reason", "recorded for the fixtures", "--timeout", "2m"], signal);
}

/** A commit of a person straight to main; answers which one it is. */
async function merge(
  { environment }: Acting,
  message: string,
  files: Readonly<Record<string, string | null>>,
): Promise<string> {
  const folder = join(environment.folder, "clone-of-ana");
  const repository = await openRepository({
    url: environment.github.gitUrl,
    folder,
    credentials: { token: users.ana.token },
  });
  const { main } = await repository.fetch();
  const author = { name: "ana", email: "ana@users.noreply.github.com" };
  const pushed = await repository.commitAndPush({ branch: "main", onto: main, files, message, author });
  if (pushed.kind === "rejected") throw new Error(`main was not pushed: ${pushed.why}`);
  return pushed.sha;
}

/** The run of the commit is recorded, and its end. That no run is open is true before the planner has seen the commit, too. */
async function untilOver(acting: Acting, commit: string): Promise<void> {
  await until(acting, `the run of ${commit.slice(0, 12)} is over`, async () => isRunOver(acting.environment, commit));
}

/** Until the pull request of a stage is open and judged; a person agrees to it. */
async function mergeStage(acting: Acting, stage: string): Promise<void> {
  const { bus, environment, log } = acting;
  await until(acting, `the pull request of ${stage}`, async () => {
    const status = await readStatus(bus);
    return status !== undefined && isWaitingForReview(status, stage);
  });
  const { number } = await approveAndMerge({ url: environment.github.url });
  log(`#${number} is merged: ${stage}`);
}

/** New proxies of the target never get ready, wherever a workload is; the answer takes that away. */
function breakEverywhere({ environment }: Acting): () => void {
  const fixes = environment.clusters.map(({ model }) =>
    model.breakWorkload(() => true, { how: "neverReady", whenRevision: "1-25-2" }),
  );
  return () => {
    for (const fix of fixes) fix();
  };
}

/** A campaign in staged pull requests: one stage merges itself, one fails, is stopped and tried again, and then all. */
async function playCampaign(acting: Acting): Promise<void> {
  const { bus, environment } = acting;
  const { clusters, github, folder } = environment;
  await until(
    acting,
    "all clusters are seen",
    async () => (await readStatus(bus))?.clusters.length === clusters.length,
  );
  await proposeCampaign({ url: github.url, gitUrl: github.gitUrl, folder });
  await approveAndMerge({ url: github.url });
  // In a fleet so small a gate has to judge by few.
  await merge(acting, "few samples", { [campaignPath]: demoCampaign.replace("minSamples: 20", "minSamples: 3") });
  await until(acting, "the pull request of prod-25", async () => {
    const status = await readStatus(bus);
    return status !== undefined && isWaitingForReview(status, "prod-25");
  });
  const fix = breakEverywhere(acting);
  await mergeStage(acting, "prod-25");
  const findStopped = async (): Promise<string | undefined> =>
    (await readStatus(bus))?.stops.find(({ scope }) => scope.startsWith("run/"))?.scope;
  await until(acting, "its failures stop it", async () => (await findStopped()) !== undefined);
  await until(acting, "a gate judges", () => acting.catcher.records.has("event gate.v1.judged"));
  const scope = (await findStopped()) ?? "";
  fix();
  await type(acting, "retry", scope);
  await resumeAll(acting);
  await mergeStage(acting, "prod-100");
  await until(acting, "the campaign is complete", () => acting.catcher.records.has("event campaign.v1.completed"));
}

/** A pause whose time passes, and a hold; both end. */
async function pauseAndHold(acting: Acting): Promise<void> {
  const { catcher } = acting;
  await type(acting, "pause", "all", "--for", "1m");
  await until(acting, "the pause is overdue", () => catcher.records.has("event stop.v1.overdue"));
  await type(acting, "resume", "all");
  await type(acting, "hold", campaignName);
  await type(acting, "unhold", campaignName);
}

/** No executor for longer than a cluster may be unseen. */
async function loseExecutor(acting: Acting): Promise<void> {
  const { services, catcher, log } = acting;
  log("no executor for a while");
  await services.terminate("executor");
  await until(acting, "the clusters are unreachable", () => catcher.records.has("event cluster.v1.unreachable"));
  services.start("executor");
  await until(acting, "the clusters are seen again", () => catcher.records.has("event cluster.v1.seen"));
}

/** The planner reports what the ledger has at its next reconcile. */
async function untilHeld(acting: Acting): Promise<void> {
  await until(acting, "the holds are told", async () =>
    ((await readStatus(acting.bus))?.stops ?? []).some(({ cause }) => cause === "rolledBack"),
  );
}

/** A hold is ended by its own verb; a stop that has ended by itself meanwhile is not there any more. */
async function resumeAll(acting: Acting): Promise<void> {
  for (const { scope, cause } of (await readStatus(acting.bus))?.stops ?? []) {
    const verb = cause === "rolledBack" ? "unhold" : "resume";
    await type(acting, verb, scope).catch((error: unknown) => acting.log(String(error)));
  }
}

/** All of the campaign back; the campaign is over with the commit that says so, too. */
async function goBack(acting: Acting): Promise<void> {
  await type(acting, "rollback", campaignName, "--campaign", "--now", "--yes");
  const files = { "rollouts.yml": demoRollouts, [campaignPath]: null };
  await untilOver(acting, await merge(acting, "all back, and the campaign is over", files));
  await untilHeld(acting);
  await resumeAll(acting);
}

/** A stop that a person made with kubectl: people are notified when it stands, and when it is gone. */
async function stopByHand<T>(acting: Acting, begin: () => Promise<T>): Promise<T> {
  const { environment, catcher } = acting;
  for (const { model } of environment.clusters) model.setConfigMap("meshroll-system", "meshroll-stop", {});
  const begun = await begin();
  await until(acting, "the wait is told", () => catcher.records.has("event wait.v1.began"));
  for (const { model } of environment.clusters) model.deleteConfigMap("meshroll-system", "meshroll-stop");
  await until(acting, "its end is told", () => catcher.records.has("event wait.v1.ended"));
  return begun;
}

/** Where the last move of each cluster went, no write is taken; the answer ends that. */
function refuseWhereMoved({ environment }: Acting): () => void {
  const policies = environment.clusters.flatMap(({ model }) => {
    const moved = model.writes.findLast(({ path, status }) => status < 300 && path.includes("/deployments/"));
    const namespace = /\/namespaces\/([^/]+)\//u.exec(moved?.path ?? "")?.[1];
    return namespace === undefined ? [] : [model.faults.refuseWrites(namespace)];
  });
  return () => {
    for (const policy of policies) policy.end();
  };
}

/** A rollback whose batches break, until the planner has written down that they did. */
async function goBackBroken(acting: Acting): Promise<void> {
  const allow = refuseWhereMoved(acting);
  const back = await merge(acting, "all back", { "rollouts.yml": demoRollouts });
  await until(acting, "a rollback batch broke", () => acting.catcher.records.has("status broken batches"));
  allow();
  await untilOver(acting, back);
}

/** A run without a campaign that a person's stop by kubectl keeps waiting, and a rollback of all that moved. */
async function waitForPerson(acting: Acting, forward: string): Promise<void> {
  const migrated = await stopByHand(acting, async () => merge(acting, "all forward", { "rollouts.yml": forward }));
  await untilOver(acting, migrated);
  await goBackBroken(acting);
  await untilHeld(acting);
  await resumeAll(acting);
}

/** A patch of a run that is over reaches its API server late, as from an executor that was away: no run wants it any more. */
async function patchLate(acting: Acting): Promise<void> {
  const { environment, catcher } = acting;
  for (const { model } of environment.clusters) {
    const isForward = ({ body, path }: { readonly body: unknown; readonly path: string }): boolean =>
      path.includes("/deployments/") && JSON.stringify(body).includes(' 1-25-2"');
    const write = model.writes.findLast((each) => each.status < 300 && isForward(each));
    if (write === undefined) continue;
    const { metadata, ...rest } = write.body as { readonly metadata: object };
    const body = { ...rest, metadata: { ...metadata, resourceVersion: undefined } };
    const query = new URLSearchParams({ fieldManager: "meshroll" });
    const request = { method: "PATCH", path: write.path, query, contentType: write.contentType, user: write.user };
    model.api.handle({ ...request, body: JSON.parse(JSON.stringify(body)) as unknown });
  }
  await until(acting, "one is overwritten by its owner", () => catcher.records.has("event workload.v1.reverted"));
}

/**
 * Enough runs and stops that the oldest go to the archive: by 25 records that are over (`archiveLimits` of libs/plan), runs other than
 * the newest eight among them.
 */
async function fillArchive(acting: Acting): Promise<void> {
  const hasArchive = async (): Promise<boolean> =>
    (await listLedger(acting.environment)).some((path) => path.startsWith("archive/stops/"));
  let last = "";
  for (let at = 1; at <= 10; at += 1) {
    const [share, rest] = [at * 5, 100 - at * 5];
    const more = `\n"empty-.*":\n  1-24-5: ${rest}\n  1-25-2: ${share}\n`;
    last = await merge(acting, `empty to ${share}`, { "rollouts.yml": `${demoRollouts}${more}` });
  }
  await untilOver(acting, last);
  for (let at = 0; at < 26 && !(await hasArchive()); at += 1) {
    await type(acting, "pause", "cluster/stage-use1");
    await type(acting, "resume", "cluster/stage-use1");
  }
  await until(acting, "records are in the archive", hasArchive);
}

/** What the first campaign left is in the archive: another one, whose first stage is proposed with a list of who moves. */
async function proposeAgain(acting: Acting): Promise<void> {
  const campaign = demoCampaign.replace(`name: ${campaignName}`, `name: ${campaignName}-again`);
  const files = { "rollouts.yml": prepareRollouts(), [`campaigns/${campaignName}-again.yml`]: campaign };
  await merge(acting, "another campaign", files);
  const isListed = async (): Promise<boolean> =>
    (await listLedger(acting.environment)).some((path) => path.startsWith("plans/"));
  await until(acting, "a list is in the ledger", isListed);
}

/** One of everything that meshroll writes, by real processes. */
export async function playEverything(acting: Acting): Promise<void> {
  await runCli(acting.environment, ["init", "--by", "ana", "--installation", "meshrolldemo"], acting.signal);
  await playCampaign(acting);
  await pauseAndHold(acting);
  await loseExecutor(acting);
  const { url, gitUrl } = acting.environment.github;
  const forward = await readMergedRollouts({ url, gitUrl, folder: acting.environment.folder });
  await goBack(acting);
  await waitForPerson(acting, forward);
  await fillArchive(acting);
  await patchLate(acting);
  await proposeAgain(acting);
}
