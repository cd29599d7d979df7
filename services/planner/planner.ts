import { type Decision, formatOf, type World } from "#libs/plan";

import { act, type Effects } from "./act.ts";
import { decideContained } from "./asks/decide-contained.ts";
import { gather, type Sources } from "./gather.ts";

/** A chain of transitions longer than this means that a decision does not settle: our bug, and nothing to loop on. */
const longestChain = 1000;

/** What one look found, after everything that it asked for was done or is on its way. */
export interface PlannerLook {
  readonly world: World;
  readonly decisions: readonly Decision[];
}

/** Kept before anything follows from it: a planner that is killed after the drop of a broken job has counted it. */
async function keepBroken({ keeper, patience, onFault }: Sources, { ledger }: World): Promise<void> {
  if (keeper !== undefined) await patience.isDone(keeper.save(formatOf(ledger)).catch(onFault));
}

/**
 * One look of the planner, repeatable at any time: gather, decide, act, until the world asks for no more transitions, or git
 * took longer over one than a look waits.
 */
export async function lookOnce(sources: Sources, effects: Effects): Promise<PlannerLook> {
  for (let step = 0; step < longestChain; step += 1) {
    // 1. Gather: one immutable snapshot.
    const world: World = { ...(await gather(sources)), ...effects.health.why() };
    await keepBroken(sources, world);
    // Executors first: a job must not come to one that does not know its commit yet, and a stop counts once they know it.
    const view = sources.mainline.view();
    if (view !== undefined) await effects.seed(view);

    // 2. Decide: pure; every decision says why. A verb that nothing can be decided with is answered, and is none any more.
    const { decisions, faulty } = decideContained(world);
    for (const { ask, fault } of faulty) {
      effects.log.error({ error: fault, ask: ask.id }, "bug: nothing can be decided with this verb; it is refused");
      effects.refuse(ask.id, "meshroll cannot carry it out: its log says why");
    }

    // 3. Act: transitions are pushed before anything else is done, and looked at afresh.
    const outcome = await act(effects, world, decisions);
    if (outcome === "settled") return { world, decisions };
  }
  throw new Error(`bug: the planner made ${longestChain} transitions in a row without settling`);
}
