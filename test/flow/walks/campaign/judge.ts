import type { LedgerState } from "#libs/plan";
import { printText } from "#libs/wording";

import { describeViolations, rules } from "../../../auditor/audit.ts";
import type { Evidence } from "../../../auditor/evidence/evidence.ts";
import { takeStep } from "./acts.ts";
import { countLedgerCommits } from "./evidence.ts";
import { judgeCampaignRules } from "./rules.ts";
import { isComplete, settleCampaign } from "./settle.ts";
import type { WalkCampaign } from "./shape.ts";
import type { CampaignStep } from "./steps.ts";
import { CampaignWalk } from "../campaign-walk.ts";
import { makeEvidence } from "../../flow-evidence.ts";
import { mergeGraceMs, toPath } from "../judge-walk.ts";
import { isOpen } from "../random-walk.ts";

/** Whether main was without the campaign for a while: what it had left over is drift from then on (rules 1.3). */
function wasGone({ shapes }: CampaignWalk): boolean {
  return shapes.some(({ shape }) => shape === undefined);
}

/**
 * Violations that the auditor reports because it cannot know about: owners' writes, what an ended rollback put back, what an
 * open run had taken over when its campaign was deleted, and commits that a forced push removed.
 */
function isExcused(line: string, walk: CampaignWalk): boolean {
  const excuses: readonly (readonly [boolean, RegExp])[] = [
    [walk.hasDrift, /^(restartedOnce|withinBatchSize|listKept): /u],
    [wasGone(walk), /^listKept: /u],
    [walk.hasReverts, /^demanded: |^stoppedStands: .* of run\//u],
    // The auditor reads from main that a run was rolled back, so not after its commit is gone.
    [
      walk.hasForced,
      /^(namedByLedger|demanded|rollbackHolds|rolledBackAreBack): |^stoppedStands: .* the stop rollback-/u,
    ],
  ];
  const isTouched = [...walk.touched.keys()].some((key) => line.includes(toPath(key)) || line.includes(key));
  return isTouched || excuses.some(([isSo, of]) => isSo && of.test(line));
}

function listViolations(walk: CampaignWalk, evidence: Evidence): readonly string[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const graceMs = name === "stoppedStands" ? 0 : mergeGraceMs;
    const lines = describeViolations(rule({ ...evidence, graceMs }).violations);
    return lines.filter((line) => !isExcused(line, walk));
  });
}

function readRevisions(
  walk: CampaignWalk,
  cluster: string,
  ref: Parameters<CampaignWalk["refs"]["set"]>[1][number],
): string {
  const pods = walk.flow.model(cluster).podsOf(ref);
  return [...new Set(pods.map(({ revision }) => revision ?? "none"))].join();
}

/** Excluded by the campaign until a date. Where the cluster joined after the other clusters' run, no end of a run names it. */
function isExcluded({ shape, flow }: CampaignWalk, namespace: string): boolean {
  return namespace === "shop-b" && (shape.excludeUntil ?? 0) > flow.clock.now();
}

/** Workloads that do not run the target, without an explanation. */
function listStrays(walk: CampaignWalk, ledger: LedgerState): readonly string[] {
  const runs = Object.values(ledger.runs).toSorted((a, b) => a.order - b.order);
  const named = new Set(
    runs.flatMap(({ outcome }) => (outcome?.skipped ?? []).map(({ cluster, workload }) => `${cluster}:${workload}`)),
  );
  const hasPay = walk.readShares().pay !== undefined;
  const lastEndOf = (namespace: string): number => {
    const bucket = hasPay && namespace.startsWith("pay-") ? "pay-.*" : "production";
    const own = runs.filter(({ buckets }) => buckets.includes(bucket));
    return Math.max(0, ...own.map(({ endedAt }) => Date.parse(endedAt ?? "")).filter(Number.isFinite));
  };
  return [...walk.refs].flatMap(([cluster, refs]) =>
    refs.flatMap((ref) => {
      const key = `${cluster}:${ref.namespace}/${ref.kind}/${ref.name}`;
      const revision = readRevisions(walk, cluster, ref);
      // What came after the last run of its bucket had ended is drift.
      const cameAt = Math.max(walk.touched.get(key) ?? 0, walk.joined.get(cluster) ?? 0);
      const isLate = cameAt > lastEndOf(ref.namespace) - 60_000;
      // What a run left behind whose commit a forced push removed is drift too.
      const isDrift = walk.hasDrift || wasGone(walk) || runs.some(({ state }) => state === "gone");
      const isExplained = isExcluded(walk, ref.namespace) || revision === "new" || named.has(key) || isLate || isDrift;
      return isExplained ? [] : [`${key} runs ${revision} in the end`];
    }),
  );
}

async function listWaits(walk: CampaignWalk): Promise<string> {
  const waits = (await walk.flow.status())?.waiting ?? [];
  return waits.map(({ scope, code, message }) => `${scope} ${code} ${printText(message)}`).join("; ");
}

/** All faults of a walk after it was repaired and the campaign merged to its end; empty: none. */
async function judgeCampaignWalk(walk: CampaignWalk): Promise<readonly string[]> {
  const ledger = await walk.flow.ledger();
  if (ledger === undefined) return ["there is no ledger"];
  const clusters = walk.recorders.map((recorder) => recorder.take());
  const evidence = makeEvidence(walk.flow.remote, clusters);
  const open = Object.values(ledger.runs).filter(isOpen);
  const isThrough = await isComplete(walk);
  const noise = /cannot be looked at|fake remote is down|fake SCM is down/u;
  return [
    ...walk.flow.errors.filter((line) => !noise.test(line)).map((line) => `error: ${line}`),
    ...(isThrough ? [] : [`not complete at ${JSON.stringify(walk.readShares())}: ${await listWaits(walk)}`]),
    ...open.map(({ id }) => `run ${id} is still open`),
    ...(await walk.listStopsInForce()).map(({ id, scope, why }) => `stop ${id} on ${scope} still stands: ${why}`),
    ...walk.standstills.faults(),
    ...listStrays(walk, ledger),
    ...(await judgeCampaignRules(walk, evidence, ledger, countLedgerCommits(walk))),
    ...listViolations(walk, evidence),
  ];
}

export interface CampaignWalkEnd {
  readonly faults: readonly string[];
  readonly story: readonly string[];
}

/** Plays the steps of a seed's fleet and campaign to their end. */
export async function playCampaignWalk(
  seed: string,
  steps: readonly CampaignStep[],
  change: Partial<WalkCampaign> = {},
): Promise<CampaignWalkEnd> {
  const walk = new CampaignWalk(seed, change);
  const faults: string[] = [];
  try {
    await walk.start();
    for (const step of steps) await takeStep(walk, step);
    await walk.fix();
    await settleCampaign(walk);
  } catch (error) {
    faults.push(`thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  faults.push(...(await judgeCampaignWalk(walk)));
  await walk.flow.killPlanner();
  await walk.flow.killExecutor();
  for (const recorder of walk.recorders) recorder.stop();
  return { faults, story: walk.story };
}
