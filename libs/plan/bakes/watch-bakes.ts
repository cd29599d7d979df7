import { listBaking } from "../advance-runs.ts";
import { findBakePause } from "../bake.ts";
import type { Reason } from "../decision.ts";
import type { RunRecord } from "../ledger-state.ts";
import { settingsOf } from "../run-settings.ts";
import { setScene } from "../scene.ts";
import type { World } from "../world.ts";

/** Bakes that go on, and what keeps each from counting now: what the planner watches between two looks (rules 6.2). */
export function watchBakes(world: World): readonly { readonly run: RunRecord; readonly paused: Reason | undefined }[] {
  const { ledger, main } = world;
  const scene = ledger === undefined || !main.contained ? undefined : setScene(world, ledger, main.head);
  if (scene === undefined) return [];
  return listBaking(scene).map((view) => {
    const paused = findBakePause(view, settingsOf(scene.head, view.run), world.clusters);
    return { run: view.run, paused };
  });
}
