import { type Decision, type Snapshot } from "#libs/plan";

import { act, type Effects } from "./act.ts";
import { decideContained } from "../requests/decide-contained.ts";
import { gather, type Sources } from "./gather.ts";

/** A chain of transitions longer than this means that a decision does not settle: our bug, and nothing to loop on. */
const longestChain = 1000;

/** What one reconcile found, after everything that it asked for was done or is on its way. */
export interface PlannerReconcile {
  readonly snapshot: Snapshot;
  readonly decisions: readonly Decision[];
}

/**
 * One reconcile of the planner, repeatable at any time: gather, decide, act, until the snapshot asks for no more transitions, or git
 * took longer over one than a reconcile waits.
 */
export async function reconcileOnce(sources: Sources, effects: Effects): Promise<PlannerReconcile> {
  for (let step = 0; step < longestChain; step += 1) {
    // 1. Gather: one immutable snapshot.
    const snapshot: Snapshot = { ...(await gather(sources)), ...effects.health.why() };
    // Executors first: a job must not come to one that does not know its commit yet, and a stop counts once they know it.
    const view = sources.repositorySnapshots.view();
    if (view !== undefined) await effects.seed(view);

    // 2. Decide: pure; every decision says why. A verb that nothing can be decided with is answered, and is none any more.
    const { decisions, faulty } = decideContained(snapshot);
    for (const { request, fault } of faulty) {
      effects.log.error(
        { error: fault, request: request.id },
        "bug: nothing can be decided with this verb; it is refused",
      );
      effects.refuse(request.id, "meshroll cannot carry it out: its log says why");
    }

    // Another planner may have begun meanwhile: what is on its way already, the ledger's compare-and-swap and the job's id judge.
    if (!effects.leads()) return { snapshot, decisions };

    // 3. Act: transitions are pushed before anything else is done, and looked at afresh.
    const outcome = await act(effects, snapshot, decisions);
    if (outcome === "settled") return { snapshot, decisions };
  }
  throw new Error(`bug: the planner made ${longestChain} transitions in a row without settling`);
}
