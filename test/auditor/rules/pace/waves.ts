import type { AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { ledgerOf, type Move } from "../../reading/writes/moves.ts";
import { type Finder, makeRule } from "../rule.ts";
import {
  findEnd,
  findOrder,
  findWave,
  isLate,
  isOut,
  listFirstTries,
  type Order,
  type RunMoves,
} from "./wave-order.ts";

/** When a cluster's wave was opened, and the order by which it was. */
interface Opened {
  readonly order: Order;
  readonly opened: number;
}

/** Why a move of an earlier wave shows that the next wave began too soon; undefined if it does not. */
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

/**
 * Judges one cluster of a run by main when its wave was opened, and at its first move. An opened wave stays open: a cluster
 * that main includes again before anything moves is not waited for.
 */
function judgeCluster(of: RunMoves, { order, opened }: Opened, first: Move, found: Finder): void {
  const { run, moves } = of;
  const wave = findWave(order, run, first.cluster.name);
  const named = new Set(run.skipped);
  const earlier = moves.filter(({ cluster }) => findWave(order, run, cluster.name) < wave);
  for (const each of earlier) {
    // Its first move was in order. A rollback moved it back since, and was resumed.
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
  const moves = listFirstTries(evidence, run);
  const firsts = new Map<string, Move>();
  for (const move of moves.toSorted((a, b) => b.at - a.at)) firsts.set(move.cluster.name, move);
  for (const [name, first] of firsts) {
    const opened = Math.min(run.clusters?.[name] ?? first.at, first.at);
    const order = findOrder(evidence, run, opened);
    if (order === undefined) found.cannotJudge("the waves of the campaign changed while one was opened");
    else judgeCluster({ evidence, run, moves }, { order, opened }, first, found);
  }
}

/** Nothing moves in a wave before the earlier waves are over, and the delay between waves. */
export const wavesInOrder = makeRule("wavesInOrder", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) if (run.campaign !== undefined) judgeRun(evidence, run, found);
});
