import { saveAtEnd } from "#libs/plan";

import { act, type Effects } from "./act.ts";
import { gather, type Sources } from "./gather.ts";
import type { ReconcileDeadline } from "../loop/reconcile-deadline.ts";

/** Nothing looks after it any more: a push is waited for to its end. */
const toTheEnd: Pick<ReconcileDeadline, "isDone"> = {
  async isDone(work) {
    await work.catch(() => undefined);
    return true;
  },
};

/**
 * Records what only this process has seen, before it ends in good order: each bake's healthy time. A ledger that takes no push
 * ends it; the caller says for how long it may take.
 */
export async function saveBeforeEnd(sources: Sources, effects: Effects): Promise<void> {
  const patient = { ...effects, deadline: toTheEnd };
  for (;;) {
    const snapshot = { ...(await gather(sources)), ...effects.health.why() };
    const decision = saveAtEnd(snapshot);
    if (decision === undefined) return;
    if ((await act(patient, snapshot, [decision])) === "settled") return;
  }
}
