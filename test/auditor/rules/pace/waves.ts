import type { AuditedCluster, AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { headsAt } from "../../reading/main/heads.ts";
import { findFailed } from "../../reading/writes/find-failed.ts";
import { ledgerOf, listMoves, type Move } from "../../reading/writes/moves.ts";
import { isExcluded, isSkipped, settingsOf } from "../../reading/files/settings.ts";
import { type Finder, makeRule } from "../rule.ts";

/** So long before its first move may a wave have been opened, ms. */
const reconcileMs = 10_000;

/** The waves of a run and the delay between them; undefined where its campaign changed them just then. */
interface Order {
  readonly waves: readonly (readonly string[])[];
  readonly delayMs: number;
}

/** When a cluster's wave was opened, and the order by which it was. */
interface Opened {
  readonly order: Order;
  readonly opened: number;
}

function findOrder(evidence: Evidence, run: AuditedRun, at: number): Order | undefined {
  const orders = headsAt(evidence, at).map((head) => settingsOf(head, run));
  const said = new Map(orders.map((each) => [JSON.stringify([each.order, each.delayBetweenWavesMs]), each]));
  const [only] = said.values();
  return said.size !== 1 || only === undefined ? undefined : { waves: only.order, delayMs: only.delayBetweenWavesMs };
}

/** Clusters that the order does not name come last; those that were not known when the run began go with the last that were. */
function findWave({ waves }: Order, { expected }: AuditedRun, cluster: string): number {
  const find = (name: string): number => {
    const index = waves.findIndex((wave) => wave.includes(name));
    return index === -1 ? waves.length : index;
  };
  return expected === undefined || expected.length === 0 || expected.includes(cluster)
    ? find(cluster)
    : Math.max(...expected.map(find));
}

/** It came, or was let go, only after the next wave had begun: then it waits for no order. */
function isLate({ created }: AuditedCluster, move: Move, since: number): boolean {
  const isForgiven = Object.keys(move.run?.retried ?? {}).length > 0;
  return isForgiven || created.some(({ path, at }) => path === move.path && at >= since);
}

/** When a workload came to rest after its last move before then; undefined while it rolls. */
function findRest({ statuses }: AuditedCluster, move: Move): number | undefined {
  return statuses.find(({ path, version, settled }) => path === move.path && version >= move.write.version && settled)
    ?.at;
}

/** When nothing was left of a move: it came to rest, or was marked as failed; undefined while it rolls. */
function findEnd(move: Move): number | undefined {
  const [rest, failed] = [findRest(move.cluster, move), findFailed(move.cluster, move)];
  return rest === undefined || failed === undefined ? (rest ?? failed) : Math.min(rest, failed);
}

/** Why a move of an earlier wave shows that the next one began too soon. */
function whyTooSoon(order: Order, first: Move, each: Move): string | undefined {
  const end = findEnd(each);
  if (each.at >= first.at) {
    const late = isLate(each.cluster, each, first.at - order.delayMs);
    return late ? undefined : `before ${each.key} of an earlier wave at ${each.at}`;
  }
  if (end === undefined || end > first.at) return `while ${each.key} of an earlier wave still rolled`;
  const passed = first.at - end;
  return passed >= order.delayMs
    ? undefined
    : `${passed} ms after the wave before, delayBetweenWaves is ${order.delayMs} ms`;
}

/** A run and its first tries forward. */
interface RunMoves {
  readonly evidence: Evidence;
  readonly run: AuditedRun;
  readonly moves: readonly Move[];
}

/** What main leaves out of a run at a moment. */
function isOut({ evidence, run }: RunMoves, each: Move, at: number): boolean {
  return headsAt(evidence, at).some(
    (head) => isSkipped(head, each.cluster.name) || isExcluded(head, run, each.namespace, at - reconcileMs),
  );
}

/**
 * One cluster of a run, by what main had when its wave was opened, and at its first move. An open wave stays open: what main takes in
 * again before anything moves there (a hold is in the way) is not waited for.
 */
function judgeCluster(of: RunMoves, { order, opened }: Opened, first: Move, found: Finder): void {
  const { run, moves } = of;
  const wave = findWave(order, run, first.cluster.name);
  const named = new Set(run.skipped);
  const earlier = moves.filter(({ cluster }) => findWave(order, run, cluster.name) < wave);
  for (const each of earlier) {
    // Its first time was in order; a rollback put it back since, and that was taken away.
    const isAgain = each.at >= first.at && earlier.some(({ key, at }) => key === each.key && at < first.at);
    if (isAgain) continue;
    if (named.has(each.key) || [opened, first.at].some((at) => isOut(of, each, at))) continue;
    found.judge();
    const why = whyTooSoon(order, first, each);
    if (why !== undefined)
      found.refuse(first.cluster.name, first.path, `wave ${wave + 1} moved at ${first.at}, ${why}`);
  }
}

function judgeRun(evidence: Evidence, run: AuditedRun, found: Finder): void {
  const moves = listMoves(evidence).filter((move) => {
    return move.isWorkload && move.way === "forward" && move.runId === run.id && move.attempt === 1;
  });
  const firsts = new Map<string, Move>();
  for (const move of moves.toSorted((a, b) => b.at - a.at)) firsts.set(move.cluster.name, move);
  for (const [name, first] of firsts) {
    const opened = Math.min(run.clusters?.[name] ?? first.at, first.at);
    const order = findOrder(evidence, run, opened);
    if (order === undefined) found.leave("the waves of the campaign changed while one was opened");
    else judgeCluster({ evidence, run, moves }, { order, opened }, first, found);
  }
}

/** No move in a wave before those before it are over, and the delay between waves with them. */
export const wavesInOrder = makeRule("wavesInOrder", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) if (run.campaign !== undefined) judgeRun(evidence, run, found);
});
