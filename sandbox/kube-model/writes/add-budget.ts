import { ensureNamespace } from "./add.ts";
import { countAllowed } from "../controllers/budgets.ts";
import type { ModelBudget, StringMap } from "../objects/objects.ts";
import { publish, type State } from "../state/state.ts";

export interface BudgetOptions {
  readonly ns: string;
  readonly name: string;
  readonly matchLabels: StringMap;
  /** A number or a percentage such as "50%"; one of the two. */
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
}

export function addBudget(state: State, options: BudgetOptions): void {
  const { ns, name, matchLabels, minAvailable, maxUnavailable } = options;
  const namespace = ensureNamespace(state, ns);
  const budget: ModelBudget = {
    resource: "poddisruptionbudgets",
    name,
    uid: state.uid(),
    createdAt: state.clock.now(),
    rv: 0,
    deleted: false,
    namespace,
    matchLabels,
    ...(minAvailable === undefined ? {} : { minAvailable }),
    ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
    disruptionsAllowed: 0,
    allowanceAt: state.clock.now(),
  };
  budget.disruptionsAllowed = countAllowed(budget);
  namespace.budgets.set(name, budget);
  publish(state, "ADDED", budget);
}
