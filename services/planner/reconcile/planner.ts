import { type Decision, type Snapshot } from "#libs/plan";

import { act, type Effects } from "./act.ts";
import { decideContained } from "../requests/decide-contained.ts";
import { gather, type Sources } from "./gather.ts";

/** More transitions than this in one reconcile mean that decisions do not settle: a bug, reported instead of looping on. */
const longestChain = 1000;

/** The snapshot that was decided on, and the decisions; their effects are done or in flight. */
export interface ReconcileResult {
  readonly snapshot: Snapshot;
  readonly decisions: readonly Decision[];
}

/**
 * One reconcile of the planner, repeatable at any time: gather, decide, act, until no transition is decided, or a push takes
 * longer than a reconcile waits.
 */
export async function reconcileOnce(sources: Sources, effects: Effects): Promise<ReconcileResult> {
  for (let step = 0; step < longestChain; step += 1) {
    // 1. Gather: one immutable snapshot.
    const snapshot: Snapshot = { ...(await gather(sources)), ...effects.health.describe() };
    // Executors come first: a job must not reach an executor that does not know its commit, and a stop counts once they know
    // it.
    const view = sources.repositorySnapshots.view();
    if (view !== undefined) await effects.seed(view);

    // 2. Decide: pure, and every decision has a reason. A verb at which deciding throws is refused and leaves the requests.
    const { decisions, faulty } = decideContained(snapshot);
    for (const { request, fault } of faulty) {
      effects.log.error(
        { error: fault, request: request.id },
        "bug: nothing can be decided with this verb; it is refused",
      );
      effects.refuse(request.id, "meshroll cannot carry it out: its log says why");
    }

    // Another planner may lead by now. What is in flight already is safe: the ledger's push compares and swaps, and a job
    // has an id.
    if (!effects.leads()) return { snapshot, decisions };

    // 3. Act: a transition is pushed before anything else is done, and then decided on again.
    const outcome = await act(effects, snapshot, decisions);
    if (outcome === "settled") return { snapshot, decisions };
  }
  throw new Error(`bug: the planner made ${longestChain} transitions in a row without settling`);
}
