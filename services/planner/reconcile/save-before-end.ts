import { saveAtEnd } from "#libs/plan";

import { act, type Effects } from "./act.ts";
import { gather, type Sources } from "./gather.ts";
import type { ReconcileDeadline } from "../loop/reconcile-deadline.ts";

/** At the end of the process no later reconcile takes a push over, so it is waited for. */
const toTheEnd: Pick<ReconcileDeadline, "isDone"> = {
  async isDone(work) {
    await work.catch(() => undefined);
    return true;
  },
};

/**
 * Records each bake's healthy time, which only this process has seen. Returns early when the ledger accepts no push; the caller
 * limits how long it takes.
 */
export async function saveBeforeEnd(sources: Sources, effects: Effects): Promise<void> {
  const patient = { ...effects, deadline: toTheEnd };
  for (;;) {
    const snapshot = { ...(await gather(sources)), ...effects.health.describe() };
    const decision = saveAtEnd(snapshot);
    if (decision === undefined) return;
    if ((await act(patient, snapshot, [decision])) === "settled") return;
  }
}
