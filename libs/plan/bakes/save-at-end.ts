import { listBaking } from "../advance-runs.ts";
import { countHealthy } from "../bake.ts";
import type { LedgerDecision } from "../decision.ts";
import { findFleetObstacle, findLedgerObstacle } from "../obstacles.ts";
import { settingsOf } from "../run-settings.ts";
import { saveBake } from "../run-transitions.ts";
import { type Scene, setScene } from "../scene.ts";
import type { World } from "../world.ts";

/** Less is not worth a commit: a planner that is restarted without end must not fill the ledger, ms. */
const leastMs = 5_000;

/** The scene on which a record may be written now; undefined while none may. */
function setWritableScene(world: World): Scene | undefined {
  const { ledger, main } = world;
  if (ledger === undefined || !main.contained) return undefined;
  if (findFleetObstacle(world) !== undefined || findLedgerObstacle(world) !== undefined) return undefined;
  return setScene(world, ledger, main.head);
}

/**
 * What a planner that is asked to end still records: the healthy time that only it has seen, one run after the other (rules
 * 6.2). Undefined when nothing is left to save, or the ledger takes nothing now.
 */
export function saveAtEnd(world: World): LedgerDecision | undefined {
  const scene = setWritableScene(world);
  if (scene === undefined) return undefined;
  for (const { run } of listBaking(scene)) {
    const watch = world.bakes?.get(run.id);
    if (watch === undefined || watch.healthyMs < leastMs) continue;
    const neededMs = settingsOf(scene.head, run).bake;
    const healthyMs = Math.min(neededMs, Math.round(countHealthy(run.bake, watch)));
    const step = healthyMs >= neededMs ? "over" : "progress";
    return saveBake(world, scene.ledger, run, step, { neededMs, healthyMs, watch });
  }
  return undefined;
}
