import type { NamespaceCells } from "../objects/namespace-cells.ts";
import { findNoDisruptionSince } from "../objects/read-times.ts";
import type { Budget } from "../objects/workload-cell.ts";
import { type Collection, createCollection } from "./collection.ts";

export function createBudgets(cells: NamespaceCells): Collection<Budget> {
  return createCollection<Budget>({
    keyOf: ({ metadata }) => `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`,
    project: (object) => {
      const { metadata = {}, spec = {}, status = {} } = object;
      const { namespace, name } = metadata;
      if (namespace === undefined || name === undefined) return undefined;
      const { disruptionsAllowed = 0 } = status;
      return {
        namespace,
        name,
        selector: spec.selector,
        disruptionsAllowed,
        emptySince: findNoDisruptionSince(object),
      };
    },
    changed: (next, before) => {
      const budget = next ?? before;
      if (budget !== undefined) cells.putBudget(budget, next !== undefined);
    },
  });
}
