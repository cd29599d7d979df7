import type { ModelBudget, ModelNamespace } from "../objects/objects.ts";
import { selects } from "../objects/selector.ts";
import { publish, type State } from "../state/state.ts";

/** Counts again what every PodDisruptionBudget of the namespace allows, as the disruption controller does. */
export function refreshBudgets(state: State, namespace: ModelNamespace): void {
  for (const budget of namespace.budgets.values()) {
    const allowed = countAllowed(budget);
    if (allowed === budget.disruptionsAllowed) continue;
    if (allowed > 0 !== budget.disruptionsAllowed > 0) budget.allowanceAt = state.clock.now();
    budget.disruptionsAllowed = allowed;
    publish(state, "MODIFIED", budget);
  }
}

/** How many of its pods may be evicted now. */
export function countAllowed({ namespace, matchLabels, minAvailable, maxUnavailable }: ModelBudget): number {
  let expected = 0;
  let healthy = 0;
  for (const workload of namespace.workloads.values()) {
    if (!selects({ matchLabels }, workload.template.labels)) continue;
    expected += workload.replicas;
    healthy += workload.pods.filter((pod) => pod.state === "ready").length;
  }
  const needed =
    maxUnavailable === undefined ? toCount(minAvailable ?? 1, expected) : expected - toCount(maxUnavailable, expected);
  return Math.max(0, healthy - needed);
}

/** Percentages are rounded up, for both fields. */
function toCount(value: number | string, of: number): number {
  return typeof value === "number" ? value : Math.ceil((Number.parseInt(value, 10) * of) / 100);
}
