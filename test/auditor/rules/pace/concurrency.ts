import type { AuditedRun, Evidence } from "../../evidence/evidence.ts";
import { mostAllowed, settingsAt } from "../../reading/main/heads.ts";
import { isOurs } from "../../reading/writes/hands.ts";
import { ledgerOf, type Move } from "../../reading/writes/moves.ts";
import { type Finder, makeRule } from "../rule.ts";
import {
  findEnd,
  findOrder,
  findWave,
  isLate,
  isOut,
  listFirstTries,
  reconcileMs,
  type RunMoves,
} from "./wave-order.ts";

/** When each cluster of a run was opened: by the ledger, and no later than its first move. */
function listOpened({ moves, run }: RunMoves): ReadonlyMap<string, number> {
  const opened = new Map<string, number>();
  for (const { cluster, at } of moves)
    opened.set(cluster.name, Math.min(opened.get(cluster.name) ?? at, run.clusters?.[cluster.name] ?? at));
  return opened;
}

/** Its owner, or a person, wrote to the object or its namespace: it may have had no work before. */
function wasTouched({ cluster, path, namespace }: Move): boolean {
  const places = [path, `/api/v1/namespaces/${namespace}`];
  return cluster.writes.some((write) => places.includes(write.path) && !isOurs(write));
}

/** It was in the run at that moment, and was moved for the first time only later. */
function isWaiting(of: RunMoves, move: Move, at: number): boolean {
  const isKnown = move.cluster.before.some(({ path }) => path === move.path);
  const isAgain = of.moves.some((each) => each.key === move.key && each.at < move.at);
  const isOutside = [at, move.at].some((moment) => isOut(of, move, moment));
  return move.at > at && isKnown && !isAgain && !isOutside && !isLate(move.cluster, move, at) && !wasTouched(move);
}

/** Something of the run rolled in the cluster at that moment, or had not begun yet. */
function isBusy(of: RunMoves, cluster: string, at: number): boolean {
  const own = of.moves.filter((move) => move.cluster.name === cluster);
  return own.some((move) => (move.at <= at ? (findEnd(move) ?? Infinity) > at : isWaiting(of, move, at)));
}

function judgeRun(evidence: Evidence, run: AuditedRun, found: Finder): void {
  const of: RunMoves = { evidence, run, moves: listFirstTries(evidence, run) };
  const opened = listOpened(of);
  for (const [name, at] of opened) {
    const order = findOrder(evidence, run, at);
    if (order === undefined) continue;
    const wave = findWave(order, run, name);
    const heads = [at, Math.max(at - reconcileMs, 0)].flatMap((moment) => settingsAt(evidence, moment, run));
    const most = mostAllowed(heads, ({ concurrency }) => concurrency);
    found.judge();
    const others = [...opened].filter(([other, since]) => other !== name && since <= at);
    const busy = others.filter(([other]) => findWave(order, run, other) === wave && isBusy(of, other, at));
    if (busy.length < most || !isBusy(of, name, at)) continue;
    const names = busy.map(([other]) => other).join(", ");
    found.refuse(name, `run ${run.id}`, `opened at ${at} while ${names} had work of it, concurrency is ${most}`);
  }
}

/** No more clusters of a wave have work at once than `clusters.concurrency` allows; judged when each of them opens. */
export const concurrencyIsKept = makeRule("concurrencyIsKept", (evidence, found) => {
  for (const run of ledgerOf(evidence).runs) if (run.campaign !== undefined) judgeRun(evidence, run, found);
});
