import type { AuditedCluster, AuditedRun, Evidence } from "../evidence/evidence.ts";
import { headsAt } from "../reading/heads.ts";
import { ledgerOf, listMoves, type Move } from "../reading/moves.ts";
import { settingsOf } from "../reading/settings.ts";
import { type Finder, makeRule } from "./rule.ts";

/** The waves of a run and the delay between them; undefined where its campaign changed them on the way. */
interface Order {
  readonly waves: readonly (readonly string[])[];
  readonly delayMs: number;
}

function findOrder(evidence: Evidence, moves: readonly Move[]): Order | undefined {
  const orders = moves.flatMap((move) =>
    headsAt(evidence, move.at).flatMap((head) => settingsOf(head, move.run)[0] ?? []),
  );
  const said = new Map(orders.map((each) => [JSON.stringify([each.order, each.delayBetweenWavesMs]), each]));
  const [only] = said.values();
  return said.size !== 1 || only === undefined ? undefined : { waves: only.order, delayMs: only.delayBetweenWavesMs };
}

/** Clusters that the order does not name come last. */
function findWave({ waves }: Order, cluster: string): number {
  const index = waves.findIndex((wave) => wave.includes(cluster));
  return index === -1 ? waves.length : index;
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

/** Why a move of an earlier wave shows that the next one began too soon. */
function whyTooSoon(order: Order, first: Move, each: Move): string | undefined {
  const rest = findRest(each.cluster, each);
  if (each.at >= first.at) {
    const late = isLate(each.cluster, each, first.at - order.delayMs);
    return late ? undefined : `before ${each.key} of an earlier wave at ${each.at}`;
  }
  if (rest === undefined || rest > first.at) return `while ${each.key} of an earlier wave still rolled`;
  const passed = first.at - rest;
  return passed >= order.delayMs
    ? undefined
    : `${passed} ms after the wave before, delayBetweenWaves is ${order.delayMs} ms`;
}

function judgeWave(order: Order, wave: number, moves: readonly Move[], found: Finder): void {
  const own = moves.filter(({ cluster }) => findWave(order, cluster.name) === wave);
  const [first] = own.toSorted((a, b) => a.at - b.at);
  if (first === undefined) return;
  const named = new Set(first.run?.aside);
  for (const each of moves.filter(({ cluster }) => findWave(order, cluster.name) < wave)) {
    if (named.has(each.key)) continue;
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
  if (moves.length === 0) return;
  const order = findOrder(evidence, moves);
  if (order === undefined) found.leave("the waves of the campaign changed while the run moved");
  else for (const wave of order.waves.keys()) judgeWave(order, wave + 1, moves, found);
}

/** No move in a wave before those before it are over, and the delay between waves with them. */
export const wavesInOrder = makeRule("wavesInOrder", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) if (run.campaign !== undefined) judgeRun(evidence, run, found);
});
