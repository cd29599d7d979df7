import { type LedgerState, nameWorkload } from "#libs/plan";
import { printText } from "#libs/wording";

import type { Evidence } from "../../auditor/evidence/evidence.ts";
import { describeViolations, rules } from "../../auditor/audit.ts";
import { type ClusterRecorder, recordCluster } from "../../auditor/evidence/clusters/record-cluster.ts";
import { makeEvidence } from "../flow-evidence.ts";
import type { Step } from "./random-steps.ts";
import { isOpen, listStopsInForce, RandomWalk } from "./random-walk.ts";
import { finishRollbacks, settle } from "./settle-walk.ts";

/** How long an executor may take to see a merge when the planner is dead, ms: it fetches once a minute. */
export const mergeGraceMs = 62_000;

/** `cluster:namespace/Kind/name` as the auditor writes it: `namespace/deployments/name`. */
export function toPath(key: string): string {
  const [namespace = "", kind = "", name = ""] = key.slice(key.indexOf(":") + 1).split("/");
  return `${namespace}/${kind.toLowerCase()}s/${name}`;
}

/**
 * What an owner put back is never restarted again, whatever else the owner wrote (rules 5.5); only a recreated object is
 * excused from that.
 */
function listTouched(line: string, { touched, recreated }: RandomWalk): ReadonlySet<string> {
  return line.startsWith("restartedOnce: ") ? recreated : touched;
}

/**
 * Violations that the auditor reports because it cannot know better: it cannot read all owners' writes; the head's file may put
 * a namespace into another bucket than its run's; a rollback that a person ended is itself reverted (rules 4.4), which looks
 * like a move; and `rollback --now` asks for what main had before, not for what it has.
 */
function isExcused(line: string, walk: RandomWalk): boolean {
  const { hasSplit, hasDrift, hasReverts } = walk;
  const isOfBucket = /^stoppedStands: .* bucket\/|^rollbackHolds: /.test(line);
  const isTouched = [...listTouched(line, walk)].some((key) => line.includes(toPath(key)));
  const isResumed = hasDrift && /^(restartedOnce|withinBatchSize): /.test(line);
  const isReverted = hasReverts && /^demanded: |^stoppedStands: .* of run\//.test(line);
  return isTouched || isResumed || isReverted || (hasSplit && isOfBucket && line.includes("/pay-"));
}

/** The auditor's violations without the excused ones. A stop counts at once, a merge after it was fetched. */
function listViolations(walk: RandomWalk, evidence: Evidence): readonly string[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const graceMs = name === "stoppedStands" ? 0 : mergeGraceMs;
    const lines = describeViolations(rule({ ...evidence, graceMs }).violations);
    return lines.filter((line) => !isExcused(line, walk));
  });
}

function listLedgerFaults(ledger: LedgerState): readonly string[] {
  const runs = Object.values(ledger.runs).toSorted((a, b) => a.order - b.order);
  const orders = runs.flatMap(({ id, order }, index) => (order === index + 1 ? [] : [`run ${id} has order ${order}`]));
  const chain = runs.flatMap(({ id, before }, index) => {
    const commit = runs[index - 1]?.commit ?? ledger.baseline.commit;
    // Commits that change no namespace's revision may lie between the two.
    return index === 0 || before === commit || before.length === 40 ? [] : [`run ${id} does not follow ${commit}`];
  });
  const ended = runs.flatMap(({ id, state, endedAt }) =>
    (state === "open") === (endedAt === undefined)
      ? []
      : [`run ${id} is ${state} but ended at ${endedAt ?? "no time"}`],
  );
  return [...orders, ...chain, ...ended];
}

/** Workloads that do not run what main wants, without an explanation. */
function listStrays(walk: RandomWalk, ledger: LedgerState): readonly string[] {
  const named = new Set(
    Object.values(ledger.runs).flatMap(({ outcome }) =>
      (outcome?.skipped ?? []).map(({ cluster, workload }) => `${cluster}:${workload}`),
    ),
  );
  return [...walk.refs].flatMap(([cluster, refs]) =>
    refs.flatMap((ref) => {
      const asked = walk.flow.revisionOf(ref.namespace);
      const key = `${cluster}:${nameWorkload(ref)}`;
      const revisions = [
        ...new Set(
          walk.flow
            .model(cluster)
            .podsOf(ref)
            .map(({ revision }) => revision ?? "none"),
        ),
      ].join();
      const isExplained = revisions === asked || named.has(key) || walk.touched.has(key) || walk.hasDrift;
      return isExplained ? [] : [`${key} runs ${revisions}, main asks for ${asked}`];
    }),
  );
}

/** All faults of a walk after it was repaired and settled; empty: none. */
async function judgeWalk(walk: RandomWalk, recorders: readonly ClusterRecorder[]): Promise<readonly string[]> {
  const { flow } = walk;
  const ledger = await flow.ledger();
  if (ledger === undefined) return ["there is no ledger"];
  const waits =
    (await flow.status())?.waiting.map(({ scope, code, message }) => `${scope} ${code} ${printText(message)}`) ?? [];
  const open = Object.values(ledger.runs).filter(isOpen);
  const clusters = recorders.map((recorder) => recorder.take());
  return [
    ...flow.errors.filter((line) => !line.includes("cannot be looked at")).map((line) => `error: ${line}`),
    ...open.map(({ id }) => `run ${id} is still open: ${waits.join("; ")}`),
    ...listStopsInForce(ledger).map(({ id, scope, why }) => `stop ${id} on ${scope} still stands: ${why}`),
    ...walk.standstills.faults(),
    ...listLedgerFaults(ledger),
    ...listStrays(walk, ledger),
    ...listViolations(walk, makeEvidence(flow.remote, clusters)),
  ];
}

export interface WalkEnd {
  readonly faults: readonly string[];
  readonly story: readonly string[];
}

/** Plays the steps of a seed's fleet to their end. */
export async function playWalk(seed: string, steps: readonly Step[]): Promise<WalkEnd> {
  const walk = new RandomWalk(seed);
  const recorders = [...walk.refs.keys()].map((name) => recordCluster(name, walk.flow.model(name)));
  const faults: string[] = [];
  try {
    await walk.start();
    for (const step of steps) await walk.take(step);
    await walk.fix();
    await finishRollbacks(walk);
    await settle(walk);
  } catch (error) {
    faults.push(`thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  faults.push(...(await judgeWalk(walk, recorders)));
  await walk.flow.killPlanner();
  await walk.flow.killExecutor();
  for (const recorder of recorders) recorder.stop();
  return { faults, story: walk.story };
}
