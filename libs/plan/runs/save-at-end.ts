import { countHealthy, findFleetObstacle, findLedgerObstacle } from "../conditions/index.ts";
import type { LedgerDecision, Snapshot } from "../records/index.ts";
import { settingsOf } from "../main/index.ts";
import { buildContext, type DecisionContext } from "../index/index.ts";
import { saveBake } from "./run-transitions.ts";
import { listBaking } from "./watch-bakes.ts";

/** Less is not worth a commit, ms: a planner that restarts repeatedly must not fill the ledger. */
const leastMs = 5_000;

/** The context for writing a record now; undefined while none may be written. */
function buildWritableContext(snapshot: Snapshot): DecisionContext | undefined {
  const { ledger, main } = snapshot;
  if (ledger === undefined || !main.contained) return undefined;
  if (findFleetObstacle(snapshot) !== undefined || findLedgerObstacle(snapshot) !== undefined) return undefined;
  return buildContext(snapshot, ledger, main.head);
}

/**
 * The last records of a planner that is asked to end: the healthy time that only it has seen, one run after the other (rules
 * 6.2). Undefined when there is nothing to save, or the ledger is not available.
 */
export function saveAtEnd(snapshot: Snapshot): LedgerDecision | undefined {
  const context = buildWritableContext(snapshot);
  if (context === undefined) return undefined;
  for (const { run } of listBaking(context)) {
    const watch = snapshot.bakes?.get(run.id);
    if (watch === undefined || watch.healthyMs < leastMs) continue;
    const neededMs = settingsOf(context.head, run).bake;
    const healthyMs = Math.min(neededMs, Math.round(countHealthy(run.bake, watch)));
    const step = healthyMs >= neededMs ? "over" : "progress";
    return saveBake(snapshot, context.ledger, run, step, { neededMs, healthyMs, watch });
  }
  return undefined;
}
