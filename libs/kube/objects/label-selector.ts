import { lookUp } from "#libs/input";
import type { ApiExpression, ApiMap, ApiSelector } from "../api-types.ts";

/** Whether a label selector of the API selects these labels. An absent selector selects nothing, an empty one everything. */
export function matchesSelector(selector: ApiSelector | undefined, labels: ApiMap): boolean {
  if (selector === undefined) return false;
  for (const [key, value] of Object.entries(selector.matchLabels ?? {}))
    if (lookUp(labels, key) !== value) return false;
  return (selector.matchExpressions ?? []).every((expression) => matchesExpression(expression, labels));
}

function matchesExpression({ key = "", operator = "", values = [] }: ApiExpression, labels: ApiMap): boolean {
  const value = lookUp(labels, key);
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      // An operator of a newer API counts as a match: to select too much only makes a run wait.
      return true;
  }
}
