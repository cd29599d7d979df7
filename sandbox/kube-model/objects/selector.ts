import { lookUp } from "#libs/input";
import type { Selector, StringMap } from "./objects.ts";

/** A label selector as the API server evaluates it; the empty selector matches all. */
export function selects(selector: Selector, labels: StringMap): boolean {
  const exact = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => lookUp(labels, key) === value);
  return (
    exact && (selector.matchExpressions ?? []).every((expression) => holds(expression, lookUp(labels, expression.key)))
  );
}

function holds(expression: NonNullable<Selector["matchExpressions"]>[number], value: string | undefined): boolean {
  const values = expression.values ?? [];
  switch (expression.operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      // An absent label is "not in" as well: this is what lets unlabelled pods through Istio's selectors.
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
  }
}

/** A requirement of a `labelSelector`: `a=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`. */
const requirement = /(?<not>!?)(?<key>[^\s,=!()]+)(?:=(?<value>[^,]*)| (?<how>in|notin) \((?<values>[^)]*)\))?/gu;

type Expression = NonNullable<Selector["matchExpressions"]>[number];

function parseRequirement(groups: Readonly<Record<string, string | undefined>>): Expression {
  const { not, key = "", value, how, values = "" } = groups;
  if (value !== undefined) return { key, operator: "In", values: [value] };
  if (how !== undefined) return { key, operator: how === "in" ? "In" : "NotIn", values: values.split(",") };
  return { key, operator: not === "!" ? "DoesNotExist" : "Exists" };
}

/** The query `labelSelector` of a list. */
export function parseSelector(text: string): Selector {
  return { matchExpressions: [...text.matchAll(requirement)].map(({ groups }) => parseRequirement(groups ?? {})) };
}
